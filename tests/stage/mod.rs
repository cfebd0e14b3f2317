//! A screen in memory, and a world for it: a recording answers, and where a test needs a
//! model that errs, [`Model`] lies about the same facts in known places.

use crossbeam_channel::unbounded;
use foretrace::oracle::ReplayOracle;
use foretrace::oracle::{
    Answer, Capabilities, Confidence, Control, Oracle, OracleError, OracleFactory, Query, Recorder,
};
use foretrace::program::{Entry, Program, decode::decode};
use foretrace::session::worker::{Ports, Workers};
use foretrace::session::{Session, Setup};
use foretrace::trace::{Direction, Edit, Event as Stop, Recording, Segment, State, read_recording};
use foretrace::tui::driver::{Driver, Until};
use foretrace::tui::event::Event;
use foretrace::tui::keymap::Key;
use foretrace::tui::{Depth, Options};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::sync::Arc;

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
        let mut query = query.clone();
        let Segment { callers, first, steps, .. } = &mut query.segment;
        let states = callers.iter_mut().chain([first]).chain(steps.iter_mut().map(|(_, s)| s));
        states.for_each(|state| Model::lie(state, false));
        let mut answer = self.facts.answer(&query, control)?;
        if let Answer::State(prediction) = &mut answer {
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

/// What reaches the world in these tests.
pub struct World {
    pub errs: bool,
}

impl OracleFactory for World {
    fn open(&self) -> Result<Box<dyn Oracle>, OracleError> {
        let facts = ReplayOracle::new(recording());
        Ok(if self.errs { Box::new(Model { facts }) } else { Box::new(facts) })
    }

    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle> {
        Box::new(ReplayOracle::new(recording))
    }
}

impl Recorder for World {
    fn describe(&self) -> String {
        "This runs count_letters.py with CPython 3.11.7 in a sandbox: no network, no writes".into()
    }

    fn record(&self, _: &Program, _: &[Edit], _: &Control) -> Result<Recording, OracleError> {
        Ok((*recording()).clone())
    }
}

pub struct Stage {
    pub driver: Driver<TestBackend>,
}

impl Stage {
    pub fn new(width: u16, height: u16, errs: bool) -> Stage {
        let options = Options { depth: Depth::Mono, ..Options::default() };
        Stage::with(width, height, errs, &options)
    }

    pub fn with(width: u16, height: u16, errs: bool, options: &Options) -> Stage {
        let (file, problems) = decode("count_letters.py", SOURCE);
        assert!(problems.is_empty());
        Stage::program(
            width,
            height,
            errs,
            options,
            Program { files: vec![file], entry: Entry::Module },
        )
    }

    pub fn program(w: u16, h: u16, errs: bool, options: &Options, program: Program) -> Stage {
        let (to, replies) = unbounded();
        let world = Arc::new(World { errs });
        let ports = Ports {
            oracle: world.clone(),
            recorder: Ok(world.clone()),
            evaluator: Err("there is no evaluator in this test".into()),
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

    pub fn settle(&mut self) {
        self.driver.run(Until::Idle).expect("a screen in memory");
    }

    pub fn send(&mut self, event: crossterm::event::Event) {
        self.driver.sender().send(Event::Input(event)).expect("the loop listens");
        self.settle();
    }

    /// Presses keys, named as in `keys.toml` and separated by spaces; `'text'` is typed
    /// letter by letter.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for (index, part) in keys.split('\'').enumerate() {
            let pressed: Vec<String> = if index % 2 == 0 {
                part.split_whitespace().map(str::to_owned).collect()
            } else {
                part.chars()
                    .map(|c| if c == ' ' { "Space".into() } else { c.to_string() })
                    .collect()
            };
            for name in pressed {
                let key = Key::parse(&name).unwrap_or_else(|| panic!("{name} is no key"));
                self.send(crossterm::event::Event::Key(key.event()));
            }
        }
        self
    }

    pub fn screen(&self) -> String {
        self.driver.backend().to_string()
    }
}
