//! States as places where real CPython can be started: how a guess is tried out.
//!
//! Must not know: who runs it, what the run is compared with.

use super::{Locals, State, Value};
use crate::program::outline::{Param, ParamKind, Scope};
use crate::program::{Entry, Literal, Program};

/// The call expression that makes a call state; `None` for methods and for values that are no
/// literals.
pub fn call(program: &Program, state: &State) -> Option<Entry> {
    let outline = program.outline(state.loc.file)?;
    let (_, scope) = outline.functions().find(|(_, scope)| {
        scope.parent == Some(0) && scope.name == *state.function && scope.line == state.loc.line
    })?;
    let arguments = arguments(scope, state.locals.as_ref()?)?;
    let expression = format!("{}({})", scope.name, arguments.join(", "));
    Some(Entry::Call { function: scope.name.clone(), expression })
}

/// A line with the variables that a state has there; `None` if one is no literal.
pub fn line(state: &State) -> Option<Entry> {
    let locals = state.locals.as_ref()?.iter();
    let locals = locals.map(|(name, value)| Some((name.to_string(), literal(value)?)));
    Some(Entry::At { loc: state.loc, locals: locals.collect::<Option<_>>()? })
}

fn arguments(scope: &Scope, locals: &Locals) -> Option<Vec<String>> {
    let argument = |param: &Param| {
        let value = literal(locals.get(&param.name)?)?;
        Some(match param.kind {
            ParamKind::PositionalOnly | ParamKind::Plain => value,
            ParamKind::Args => format!("*{value}"),
            ParamKind::KeywordOnly => format!("{}={value}", param.name),
            ParamKind::Kwargs => format!("**{value}"),
        })
    };
    scope.params.iter().map(argument).collect()
}

fn literal(value: &Value) -> Option<String> {
    Literal::read(value.text()).filter(Literal::is_plain)?;
    Some(value.to_string())
}
