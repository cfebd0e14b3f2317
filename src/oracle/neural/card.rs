//! What a model file says about the debugger language that it was trained on.

use crate::gguf::{Gguf, GgufError, quoted};
use crate::trace::{Action, Direction, Move};

/// The `debugger.*` metadata of a model made for this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// `debugger.dialect`: `native`, `compact` or `cwm`.
    pub dialect: String,
    /// `debugger.dialect_version`.
    pub version: u32,
    /// `debugger.vocab_sha256` of the compact vocabulary; empty if not given.
    pub vocab_sha256: String,
    /// `debugger.context`: tokens of the documents it was trained on; `None`: the window.
    pub context: Option<usize>,
    /// `debugger.limits`, in one line for people.
    pub limits: String,
    /// `debugger.directions`.
    pub directions: Vec<Direction>,
    /// `debugger.direct_actions`: what it was trained to answer at once.
    pub direct_actions: Vec<(Direction, Action)>,
    /// `debugger.python_version` of the recordings.
    pub python_version: String,
}

impl Card {
    /// Reads the card; `None` if the file has no `debugger.dialect`.
    ///
    /// # Errors
    /// [`GgufError`] for a key of the wrong type or with an unknown word.
    pub fn read(gguf: &Gguf<'_>) -> Result<Option<Self>, GgufError> {
        let Some(dialect) = gguf.opt_word("debugger.dialect")? else { return Ok(None) };
        let text = |key: &str| Ok(gguf.opt_word(key)?.unwrap_or_default().to_owned());
        Ok(Some(Card {
            dialect: dialect.to_owned(),
            version: gguf.opt_u32("debugger.dialect_version")?.unwrap_or(1),
            vocab_sha256: text("debugger.vocab_sha256")?,
            context: gguf.opt_u32("debugger.context")?.map(|n| n as usize),
            limits: text("debugger.limits")?,
            directions: words(gguf, "debugger.directions", "forward or inverse", |word| {
                [Direction::Forward, Direction::Inverse].into_iter().find(|d| d.name() == word)
            })?,
            direct_actions: words(gguf, "debugger.direct_actions", "names of moves", a_move)?,
            python_version: text("debugger.python_version")?,
        }))
    }
}

/// A list of words separated by commas.
fn words<T>(
    gguf: &Gguf<'_>,
    key: &str,
    wanted: &'static str,
    known: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, GgufError> {
    let list = gguf.opt_str(key)?.unwrap_or_default();
    let items = list.split(',').map(str::trim).filter(|word| !word.is_empty());
    items
        .map(|word| {
            known(word).ok_or_else(|| GgufError::KeyType {
                key: key.to_owned(),
                found: quoted(word),
                wanted,
            })
        })
        .collect()
}

fn a_move(name: &str) -> Option<(Direction, Action)> {
    use Action::{Breakpoint, Continue, StepCall, StepInto, StepOver, StepReturn};
    let actions = [StepInto, StepOver, StepReturn, StepCall, Breakpoint, Continue];
    let moves =
        actions.into_iter().flat_map(|action| [Move::forward(action), Move::inverse(action)]);
    moves.filter(Move::exists).find(|m| m.name() == name).map(|m| (m.direction, m.action))
}
