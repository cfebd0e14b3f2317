//! What a program sees of the environment.
//!
//! A run must not depend on what happens to be set, nor hand a program keys and tokens that it
//! was not meant to have. So it sees [`PASSED`], what foretrace sets itself ([`OWN`]), and what
//! the person names. Must not know: processes, command lines.

use std::str::FromStr;

/// Variables that are passed on where they are set.
pub const PASSED: [&str; 9] =
    ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "USER", "TERM"];

/// Variables that foretrace sets: the seed of hashes, the folder that may be written, and that
/// the program's own `breakpoint()` does nothing.
pub const OWN: [&str; 4] = ["PYTHONHASHSEED", "HOME", "TMPDIR", "PYTHONBREAKPOINT"];

/// Another user, terminal and time zone, for a run that is to tell what depends on them; what the
/// person `given` sets stays. Not the language, which decides how files are decoded.
pub(super) fn elsewhere(given: &[Variable]) -> Vec<Variable> {
    // the zone as POSIX writes it, which needs no table of zones
    let others = [("USER", "somebody"), ("TERM", "ansi"), ("TZ", "<+0530>-05:30")];
    let free = others.into_iter().filter(|(name, _)| given.iter().all(|v| v.name != *name));
    let variable =
        |(name, value): (&str, &str)| Variable { name: name.into(), value: value.into() };
    free.map(variable).chain(given.iter().cloned()).collect()
}

/// A variable that a person sets for the program: `NAME=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Not empty, not one of [`OWN`].
    pub name: String,
    /// Anything, also nothing.
    pub value: String,
}

impl FromStr for Variable {
    type Err = String;

    /// # Errors
    /// What to write instead.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("write {text}=VALUE; {text}= sets it to nothing"));
        };
        if name.is_empty() || name.contains(char::is_whitespace) || text.contains('\0') {
            return Err("a name without spaces comes first: NAME=VALUE".into());
        }
        if OWN.contains(&name) {
            let why = match name {
                "PYTHONHASHSEED" => "it follows from --seed",
                "PYTHONBREAKPOINT" => "the program's own breakpoint() is passed over",
                _ => "it names the one folder that the program may write",
            };
            return Err(format!("{name} is set by foretrace: {why}"));
        }
        Ok(Variable { name: name.into(), value: value.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_a_name_and_a_value() {
        for (text, wanted) in [
            ("A=b", Ok(("A", "b"))),
            ("A=", Ok(("A", ""))),
            ("A=b=c d", Ok(("A", "b=c d"))),
            ("PATH=/bin", Ok(("PATH", "/bin"))),
            ("A", Err("write A=VALUE; A= sets it to nothing")),
            ("=b", Err("a name without spaces comes first: NAME=VALUE")),
            ("A B=c", Err("a name without spaces comes first: NAME=VALUE")),
            ("A=\0", Err("a name without spaces comes first: NAME=VALUE")),
            ("PYTHONHASHSEED=1", Err("PYTHONHASHSEED is set by foretrace: it follows from --seed")),
            (
                "HOME=/x",
                Err("HOME is set by foretrace: it names the one folder that the program may write"),
            ),
        ] {
            let found = text.parse::<Variable>();
            let found = found.as_ref().map(|v| (&*v.name, &*v.value)).map_err(|why| &**why);
            assert_eq!(found, wanted, "{text:?}");
        }
    }
}
