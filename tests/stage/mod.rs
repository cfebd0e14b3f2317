//! A screen in memory, and a world for it: a recording answers, and where a test needs a
//! model that errs, [`Model`] lies about the same facts in known places.

use crossbeam_channel::unbounded;
use crossterm::event::{Event as Input, KeyModifiers, MouseEvent, MouseEventKind};
use foretrace::oracle::ReplayOracle;
use foretrace::oracle::{
    Answer, Capabilities, Confidence, Control, Oracle, OracleError, OracleFactory, Query, Recorder,
};
use foretrace::program::{Entry, Program, decode::decode};
use foretrace::session::worker::{Ports, Reader, Workers};
use foretrace::session::{Session, Setup, Source};
use foretrace::trace::{Direction, Edit, Event as Stop, Recording, Segment, State, read_recording};
use foretrace::tui::driver::{Driver, Until};
use foretrace::tui::event::Event;
use foretrace::tui::keymap::Key;
use foretrace::tui::{Depth, Options};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Style;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

const SOURCE: &[u8] = include_bytes!("../fixtures/screens/count_letters.py");
const RECORDING: &[u8] = include_bytes!("../fixtures/screens/count_letters.jsonl");

pub fn recording() -> Arc<Recording> {
    Arc::new(read_recording(RECORDING, Default::default()).expect("the fixture is a recording"))
}

/// The program that was recorded.
pub fn program() -> Program {
    let (file, problems) = decode("count_letters.py", SOURCE);
    assert!(problems.is_empty());
    Program { files: vec![file], entry: Entry::Module }
}

/// A model that knows the recording, hesitates, and errs in two places: it counts the
/// second letter twice, and it believes that `b` is wanted.
pub struct Model {
    facts: ReplayOracle,
    who: Who,
}

const LIES: &[(&str, &str, &str)] = &[("counts", "{'n': 1, 'a': 1}", "{'n': 1, 'a': 2}")];

impl Model {
    fn lie(state: &mut State, forth: bool) {
        for (name, truth, lie) in LIES {
            let (from, to) = if forth { (truth, lie) } else { (lie, truth) };
            if let Some(locals) = &mut state.locals
                && locals.get(name).is_some_and(|v| v.text() == *from)
            {
                locals.set((*name).into(), (*to).into());
            }
        }
        let astray = state.event == Stop::Line
            && state.loc.line == if forth { 8 } else { 10 }
            && state
                .locals
                .as_ref()
                .and_then(|l| l.get("letter"))
                .is_some_and(|v| v.text() == "'b'");
        if astray {
            state.loc.line = if forth { 10 } else { 8 };
        }
    }
}

impl Oracle for Model {
    fn label(&self) -> String {
        "tiny (compact, cpu)".into()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { exact: false, ..self.facts.capabilities() }
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        self.facts.accepts(program)
    }

    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError> {
        match self.who {
            // The first step makes itself; it is the person's that gets stuck.
            Who::Stuck if !query.segment.steps.is_empty() => {
                while !control.cancelled() {
                    std::thread::yield_now();
                }
                return Err(OracleError::Cancelled);
            }
            Who::Nonsense => {
                return Ok(Answer::Malformed {
                    text: "line 8 of count_letters\nand then? \x1b[2J".into(),
                    why: "it is prose".into(),
                });
            }
            Who::Facts | Who::Model | Who::Stuck => {}
        }
        let mut query = query.clone();
        let Segment { callers, first, steps, .. } = &mut query.segment;
        let states = callers.iter_mut().chain([first]).chain(steps.iter_mut().map(|(_, s)| s));
        states.for_each(|state| Model::lie(state, false));
        let mut answer = self.facts.answer(&query, control)?;
        if let Answer::Exit { ending, .. } = &mut answer {
            **ending = Default::default(); // What a model does not say.
        }
        if let Answer::State(prediction) = &mut answer {
            prediction.callers = None;
            Model::lie(&mut prediction.state, true);
            let locals = prediction.state.locals.iter().flat_map(|l| l.iter());
            let locals = locals.map(|(name, value)| {
                (name.clone(), if value.text().len() > 12 { 0.41 } else { 0.98 })
            });
            prediction.confidence = Some(Confidence {
                event: 0.99,
                source: 0.97,
                locals: locals.collect(),
                arg: prediction.state.arg.as_ref().map(|_| 0.9),
            });
        }
        Ok(answer)
    }

    fn complete(
        &mut self,
        program: &Program,
        partial: &State,
        direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        self.facts.complete(program, partial, direction, control)
    }
}

/// Who answers in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The recording.
    Facts,
    /// A model that errs.
    Model,
    /// A model whose second answer never comes, unless it is cancelled.
    Stuck,
    /// Text that is no state.
    Nonsense,
}

/// What reaches the world in these tests.
pub struct World(pub Who);

impl OracleFactory for World {
    fn open(&self, _: &Program, _: &Control) -> Result<Box<dyn Oracle>, OracleError> {
        let facts = ReplayOracle::new(recording());
        Ok(match self.0 {
            Who::Facts => Box::new(facts),
            who => Box::new(Model { facts, who }),
        })
    }

    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle> {
        Box::new(ReplayOracle::new(recording))
    }
}

impl Recorder for World {
    fn describe(&self) -> Result<String, OracleError> {
        Ok("This runs count_letters.py with CPython 3.11.7 in a sandbox: no network, no writes"
            .into())
    }

    fn record(&self, _: &Program, _: &[Edit], _: &Control) -> Result<Recording, OracleError> {
        Ok((*recording()).clone())
    }
}

impl Reader for World {
    /// Whatever was opened, the file is this one now.
    fn read(&self) -> Result<Source, String> {
        Ok(Source { program: program(), notes: Vec::new(), refused: None })
    }
}

/// A session on a screen in memory.
pub struct Stage {
    pub driver: Driver<TestBackend>,
}

impl Stage {
    pub fn new(width: u16, height: u16, who: Who) -> Stage {
        let options = Options { depth: Depth::Mono, ..Options::default() };
        Stage::with(width, height, who, &options, program())
    }

    pub fn with(w: u16, h: u16, who: Who, options: &Options, program: Program) -> Stage {
        let (to, replies) = unbounded();
        let world = Arc::new(World(who));
        let ports = Ports {
            oracle: world.clone(),
            recorder: Ok(world.clone()),
            evaluator: Err("there is no evaluator in this test".into()),
            keeper: None,
            reader: Some(world.clone()),
        };
        let setup = Setup::default();
        let workers = Workers::start(ports, to).expect("threads");
        let (session, started) = Session::new(Arc::new(program), setup);
        let app = foretrace::tui::app(session, options).expect("the theme loads");
        let terminal = Terminal::new(TestBackend::new(w, h)).expect("a screen in memory");
        let driver = Driver::new(terminal, app, started, workers, replies, None, None);
        let mut stage = Stage { driver: driver.expect("a screen in memory") };
        stage.settle();
        stage
    }

    /// Lets the loop run until nothing is left to do.
    pub fn settle(&mut self) -> &mut Self {
        self.driver.run(Until::Idle).expect("a screen in memory");
        self
    }

    /// Hands the loop an event without waiting.
    pub fn send(&mut self, event: Input) -> &mut Self {
        self.driver.sender().send(Event::Input(event)).expect("the loop listens");
        self
    }

    /// Presses keys, named as in `keys.toml` and separated by spaces; `'text'` is typed
    /// letter by letter.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for (index, part) in keys.split('\'').enumerate() {
            let pressed: Vec<String> = if index % 2 == 0 {
                part.split_whitespace().map(str::to_owned).collect()
            } else {
                let name = |c: char| if c == ' ' { "Space".to_owned() } else { c.to_string() };
                part.chars().map(name).collect()
            };
            for name in pressed {
                let key = Key::parse(&name).unwrap_or_else(|| panic!("{name} is no key"));
                self.send(Input::Key(key.event())).settle();
            }
        }
        self
    }

    /// A mouse event.
    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> &mut Self {
        let modifiers = KeyModifiers::NONE;
        self.send(Input::Mouse(MouseEvent { kind, column, row, modifiers })).settle()
    }

    /// Gives the screen another size.
    pub fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.driver.backend_mut().resize(width, height);
        self.send(Input::Resize(width, height)).settle()
    }

    /// The text on the screen.
    pub fn screen(&self) -> String {
        let buffer = self.driver.backend().buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut x = 0;
            let mut line = String::new();
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(symbol.width()).unwrap_or(1).max(1);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The style where a text first stands on the screen.
    pub fn style_of(&self, text: &str) -> Style {
        let screen = self.screen();
        let found =
            screen.lines().enumerate().find_map(|(y, line)| Some((line.find(text)?, line, y)));
        let (byte, line, y) = found.unwrap_or_else(|| panic!("no {text:?} in\n{screen}"));
        let x = line[..byte].width();
        self.driver.backend().buffer()[(x as u16, y as u16)].style()
    }

    /// Whether a text stands on the screen.
    pub fn shows(&self, text: &str) -> bool {
        self.screen().contains(text)
    }
}
