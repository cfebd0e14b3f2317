//! Arguments to parameters, by the rules of a Python call.

use super::EntryError;
use super::call::{Argument, Call, calls};
use crate::program::outline::{Param, ParamKind, Scope};
use crate::program::{Entry, Literal, Program};
use std::collections::BTreeMap;

/// The locals of the entry frame at its call, as CPython shows them: names and reprs of
/// all parameters. `None` where Python is needed to know them: an argument or default is
/// no literal, or the entry is no call.
pub fn bind(program: &Program) -> Option<Vec<(String, String)>> {
    let Entry::Call { function, expression } = &program.entry else { return None };
    let (_, scope) = program.outline(0)?.function(function)?;
    let calls = calls(expression);
    // `self` of a method or of a class is an object, which only Python can make.
    let call = calls.iter().find(|call| call.callee == function || call.callee == scope.name)?;
    let slots = assign(call, scope, false).ok()??;
    let mut locals = Vec::new();
    for (param, slot) in scope.in_frame_order().zip(slots) {
        let repr = match slot {
            Slot::One(text) => literal(text)?.to_string(),
            Slot::Missing => literal(param.default.as_deref()?)?.to_string(),
            Slot::Args(items) => {
                Literal::Tuple(items.into_iter().map(literal).collect::<Option<_>>()?).to_string()
            }
            Slot::Kwargs(items) => {
                let pair = |(name, text): (&str, &str)| {
                    Some((Literal::Str(name.chars().map(u32::from).collect()), literal(text)?))
                };
                Literal::Dict(items.into_iter().map(pair).collect::<Option<_>>()?).to_string()
            }
        };
        locals.push((param.name.clone(), repr));
    }
    Some(locals)
}

/// Checks that arguments fit; with `has_self` the first parameter is filled by Python.
pub(super) fn check(call: &Call, scope: &Scope, has_self: bool) -> Result<(), EntryError> {
    assign(call, scope, has_self).map(|_| ()).map_err(|what| EntryError::Arguments {
        call: call.text.into(),
        what,
        function: scope.qualname.clone(),
    })
}

/// What a parameter gets.
enum Slot<'a> {
    One(&'a str),
    /// Its default.
    Missing,
    Args(Vec<&'a str>),
    Kwargs(Vec<(&'a str, &'a str)>),
}

/// One slot per parameter in frame order; `None` if the call has `*` or `**` arguments.
fn assign<'a>(
    call: &Call<'a>,
    scope: &Scope,
    has_self: bool,
) -> Result<Option<Vec<Slot<'a>>>, String> {
    if call.arguments.contains(&Argument::Starred) {
        return Ok(None);
    }
    let method = has_self && scope.parent.is_some() && scope.qualname.contains('.');
    let mut given: BTreeMap<&str, &'a str> = BTreeMap::new();
    let mut positional = call.arguments.iter().filter_map(|argument| match argument {
        Argument::Positional(text) => Some(*text),
        _ => None,
    });
    let takes_positional =
        |p: &&Param| matches!(p.kind, ParamKind::PositionalOnly | ParamKind::Plain);
    for (i, param) in scope.params.iter().filter(takes_positional).enumerate() {
        if i == 0 && method {
            given.insert(&param.name, "self");
        } else if let Some(text) = positional.next() {
            given.insert(&param.name, text);
        }
    }
    let args: Vec<&str> = positional.collect();
    let has = |kind| scope.params.iter().any(|p| p.kind == kind);
    if !args.is_empty() && !has(ParamKind::Args) {
        let takes = scope.params.iter().filter(takes_positional).count() - usize::from(method);
        return Err(format!("has {} arguments, but it takes {takes}", takes + args.len()));
    }
    let mut kwargs = Vec::new();
    for argument in &call.arguments {
        let Argument::Keyword(name, text) = argument else { continue };
        let by_name = |p: &&Param| matches!(p.kind, ParamKind::Plain | ParamKind::KeywordOnly);
        match scope.params.iter().filter(by_name).find(|p| p.name == *name) {
            Some(param) => {
                if given.insert(&param.name, text).is_some() {
                    return Err(format!("gives '{name}' twice"));
                }
            }
            None if has(ParamKind::Kwargs) => kwargs.push((*name, *text)),
            None => return Err(format!("names '{name}', which is no parameter")),
        }
    }
    let stars = [ParamKind::Args, ParamKind::Kwargs];
    let required = |p: &&Param| !stars.contains(&p.kind) && p.default.is_none();
    let missing: Vec<String> = scope
        .params
        .iter()
        .filter(required)
        .filter(|p| !given.contains_key(p.name.as_str()))
        .map(|p| format!("'{}'", p.name))
        .collect();
    if !missing.is_empty() {
        return Err(format!("lacks {}", missing.join(", ")));
    }
    let slots = scope.in_frame_order().map(|param| match param.kind {
        ParamKind::Args => Slot::Args(args.clone()),
        ParamKind::Kwargs => Slot::Kwargs(kwargs.clone()),
        _ => given.get(param.name.as_str()).map_or(Slot::Missing, |text| Slot::One(text)),
    });
    Ok(Some(slots.collect()))
}

/// A literal as Python would evaluate it. `None`: only Python can say.
fn literal(text: &str) -> Option<Literal> {
    evaluate(Literal::read(text)?)
}

/// What a literal in source means: `...` is Ellipsis, a later equal key wins.
fn evaluate(value: Literal) -> Option<Literal> {
    let all = |items: Vec<Literal>| items.into_iter().map(evaluate).collect::<Option<Vec<_>>>();
    Some(match value {
        Literal::Dots => Literal::Ellipsis,
        Literal::Object(..) => return None,
        Literal::List(items) => Literal::List(all(items)?),
        Literal::Tuple(items) => Literal::Tuple(all(items)?),
        Literal::Set(items) => {
            let items = all(items.into_iter().collect())?;
            keys_are_plain(items.iter()).then(|| Literal::Set(items.into_iter().collect()))?
        }
        Literal::FrozenSet(items) => {
            let items = all(items.into_iter().collect())?;
            keys_are_plain(items.iter()).then(|| Literal::FrozenSet(items.into_iter().collect()))?
        }
        Literal::Dict(pairs) => {
            let mut dict: Vec<(Literal, Literal)> = Vec::new();
            for (key, value) in pairs {
                let (key, value) = (evaluate(key)?, evaluate(value)?);
                match dict.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, old)) => *old = value,
                    None => dict.push((key, value)),
                }
            }
            keys_are_plain(dict.iter().map(|(key, _)| key)).then_some(Literal::Dict(dict))?
        }
        other => other,
    })
}

/// Whether keys are all strings, bytes or integers: then equal means equal in Python too
/// (unlike `1`, `1.0` and `True`), and all are hashable.
fn keys_are_plain<'a>(mut keys: impl Iterator<Item = &'a Literal>) -> bool {
    keys.all(|key| matches!(key, Literal::Str(_) | Literal::Bytes(_) | Literal::Int(_)))
}
