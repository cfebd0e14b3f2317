//! The vocabulary: one fixed table, the same for every program.
//!
//! A token is an index into [`STRINGS`]. The table is laid out in ranges, so that most
//! questions about a token are comparisons. Changing anything here changes [`sha256`] and
//! needs a new [`VERSION`](super::VERSION): a model is bound to the table it was trained on.

use crate::trace::{Action, Direction, Event, Exit};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Index into the vocabulary.
pub type Token = u32;

/// Padding in batches; never in a document.
pub const PAD: Token = 0;
/// Opens a document: the program follows, line by line.
pub const CONTEXT: Token = 1;
/// The call expression the session starts from follows.
pub const RUN: Token = 2;
/// The states follow.
pub const SEGMENT: Token = 3;
/// The statement about to run and the values it reads follow, written by the client.
pub const FOCUS: Token = 4;
/// Ends a state.
pub const END: Token = 5;
/// Ends a value; opens a name in the focus.
pub const SEP: Token = 6;
/// In the place of a value: the name is not bound any more.
pub const NONE: Token = 7;
/// In the place of the locals: they are not known.
pub const UNKNOWN: Token = 8;
/// A name without a slot follows, spelled.
pub const SPELL: Token = 9;
/// A value that is no well-formed Python display follows, character by character.
pub const RAW: Token = 10;
/// The returned value or the exception follows.
pub const ARG: Token = 11;
/// The name of the state's function follows: it is not the one its line suggests.
pub const FUNCTION: Token = 12;
/// A physical line number follows in digits: the line is not in the context.
pub const AT: Token = 13;
/// A depth beyond the depth tokens follows in digits.
pub const DEEP: Token = 14;
/// In the focus of a `for`: the number of elements it has taken follows in digits.
pub const ITERATION: Token = 15;
#[rustfmt::skip]
const SPECIALS: [&str; 24] = [
    "<pad>", "<ctx>", "<run>", "<seg>", "<focus>", "<end>", "<;>", "<none>", "<unknown>", "<id>",
    "<raw>", "<arg>", "<fn>", "<at>", "<deep>", "<iter>", "<spare1>", "<spare2>", "<spare3>",
    "<spare4>", "<spare5>", "<spare6>", "<spare7>", "<spare8>",
];

/// The actions, in the order of [`ACTIONS`].
pub const ACTION: Range<Token> = 24..33;
/// What each action token asks.
pub const ACTIONS: [(Direction, Action); 9] = [
    (Direction::Forward, Action::StepInto),
    (Direction::Forward, Action::StepOver),
    (Direction::Forward, Action::StepReturn),
    (Direction::Forward, Action::Breakpoint),
    (Direction::Forward, Action::Continue),
    (Direction::Inverse, Action::StepInto),
    (Direction::Inverse, Action::StepOver),
    (Direction::Inverse, Action::StepCall),
    // Chained by the session today; the token is there so that a model can be trained on it.
    (Direction::Inverse, Action::Continue),
];
#[rustfmt::skip]
const ACTION_NAMES: [&str; 9] = [
    "<into>", "<over>", "<return>", "<break>", "<continue>", "<back_into>", "<back_over>",
    "<back_call>", "<back_continue>",
];

/// The events, in the order of [`EVENTS`].
pub const EVENT: Range<Token> = 33..40;
/// Each event token's event, and whether it is a resume or a yield.
pub const EVENTS: [(Event, bool); 7] = [
    (Event::Call, false),
    (Event::Call, true),
    (Event::Line, false),
    (Event::LineAfterCall, false),
    (Event::Return, false),
    (Event::Return, true),
    (Event::Exception, false),
];
#[rustfmt::skip]
const EVENT_NAMES: [&str; 7] =
    ["<call>", "<resume>", "<line>", "<line_after_call>", "<returned>", "<yielded>", "<exception>"];

/// The exits, in the order of [`EXITS`].
pub const EXIT: Range<Token> = 40..44;
/// What each exit token says. A cut recording has no exit.
pub const EXITS: [Exit; 4] = [Exit::Normal, Exit::Error, Exit::Never, Exit::Entry];

/// Depths 0 to 63.
pub const DEPTH: Range<Token> = 44..108;
/// Lines 1 to 256 of the context.
pub const LINE: Range<Token> = 108..364;
/// Indentation levels 0 to 15.
pub const INDENT: Range<Token> = 364..380;
/// In the place of an indentation: the line continues the statement above.
pub const CONTINUED: Token = 380;
/// Slots for the program's own names.
pub const SLOT: Range<Token> = 381..637;
/// Bytes of characters that have no token, in UTF-8.
pub const BYTE: Range<Token> = 637..893;
/// Printable ASCII.
pub const CHAR: Range<Token> = 893..988;
/// `, ` outside strings.
pub const COMMA: Token = 988;
/// `: ` outside strings.
pub const COLON: Token = 989;
/// `…`, the mark of a cut value.
pub const CUT: Token = 990;
/// Operators of two and three characters; in source only.
pub const OPERATOR: Range<Token> = 991..991 + OPERATORS.len() as Token;
/// Names that code objects have and variables cannot.
pub const CODE_NAME: Range<Token> = OPERATOR.end..OPERATOR.end + CODE_NAMES.len() as Token;
/// Python's own words.
pub const WORD: Range<Token> = CODE_NAME.end..CODE_NAME.end + WORDS.len() as Token;
/// Number of tokens.
pub const SIZE: usize = WORD.end as usize;

/// Longest first, so that the first match is the longest.
#[rustfmt::skip]
pub const OPERATORS: [&str; 25] = [
    "**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "@=", "->", ":=", "**", "//", "<<", ">>", "<>",
];

#[rustfmt::skip]
const CODE_NAMES: [&str; 6] =
    ["<module>", "<lambda>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"];

/// Keywords, builtins, exceptions, methods of the builtin types and the most used names of
/// the standard library: their meaning is the same in every program, so they are not slots.
/// All have two characters or more.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield",
    // builtins
    "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr",
    "classmethod", "complex", "dict", "dir", "divmod", "enumerate", "eval", "exec", "filter",
    "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "hex", "id", "input",
    "int", "isinstance", "issubclass", "iter", "len", "list", "locals", "map", "max", "memoryview",
    "min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "range", "repr",
    "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super",
    "tuple", "type", "vars", "zip", "NotImplemented", "Ellipsis", "self", "cls",
    // exceptions
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "EOFError",
    "Exception", "FileNotFoundError", "FloatingPointError", "GeneratorExit", "ImportError",
    "IndexError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError",
    "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError", "OverflowError",
    "PermissionError", "RecursionError", "RuntimeError", "StopAsyncIteration", "StopIteration",
    "SyntaxError", "SystemExit", "TimeoutError", "TypeError", "UnboundLocalError",
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "ValueError", "Warning",
    "ZeroDivisionError", "args", "kwargs",
    // special methods and names
    "__add__", "__bool__", "__call__", "__class__", "__contains__", "__delitem__", "__dict__",
    "__doc__", "__enter__", "__eq__", "__exit__", "__ge__", "__getattr__", "__getitem__", "__gt__",
    "__hash__", "__iadd__", "__init__", "__iter__", "__le__", "__len__", "__lt__", "__main__",
    "__mul__", "__name__", "__ne__", "__neg__", "__new__", "__next__", "__post_init__", "__radd__",
    "__repr__", "__rmul__", "__setattr__", "__setitem__", "__slots__", "__str__", "__sub__",
    "__truediv__",
    // methods of str, list, dict, set, int, float, bytes, generators and files
    "add", "append", "appendleft", "as_integer_ratio", "bit_count", "bit_length", "capitalize",
    "casefold", "center", "clear", "close", "conjugate", "copy", "count", "decode", "difference",
    "difference_update", "discard", "encode", "endswith", "expandtabs", "extend", "extendleft",
    "find", "format_map", "fromhex", "fromkeys", "get", "index", "insert", "intersection",
    "intersection_update", "is_integer", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit",
    "isdisjoint", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "issubset",
    "issuperset", "istitle", "isupper", "items", "join", "key", "keys", "ljust", "lower", "lstrip",
    "maketrans", "partition", "pop", "popitem", "popleft", "read", "readline", "remove",
    "removeprefix", "removesuffix", "replace", "reverse", "rfind", "rindex", "rjust", "rotate",
    "rpartition", "rsplit", "rstrip", "send", "setdefault", "sort", "split", "splitlines",
    "startswith", "strip", "swapcase", "symmetric_difference", "throw", "title", "translate",
    "union", "update", "upper", "values", "write", "zfill", "most_common", "elements",
    // the standard library
    "math", "sqrt", "floor", "ceil", "gcd", "lcm", "isqrt", "factorial", "comb", "prod", "log",
    "pi", "inf", "nan", "collections", "Counter", "defaultdict", "deque", "namedtuple",
    "OrderedDict", "itertools", "chain", "accumulate", "combinations", "permutations", "product",
    "groupby", "islice", "zip_longest", "functools", "lru_cache", "cache", "partial", "reduce",
    "wraps", "heapq", "heappush", "heappop", "heapify", "bisect", "bisect_left", "insort",
    "dataclass", "dataclasses", "field", "enum", "Enum", "abc", "ABC", "abstractmethod", "string",
    "random", "re", "json", "sys", "os", "time", "deepcopy", "operator", "contextlib",
    "contextmanager", "suppress", "typing", "List", "Dict", "Optional", "default", "start", "end",
    "sep", "default_factory", "maxlen",
];

/// The first words: keywords, of which `match` and `case` can be names of variables.
pub const KEYWORD: Range<Token> = WORD.start..WORD.start + 37;

/// What each token looks like, in order: names in angle brackets for tokens that are no
/// text, else the text itself.
pub static STRINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let own = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let mut all = own(&SPECIALS);
    all.extend(own(&ACTION_NAMES));
    all.extend(own(&EVENT_NAMES));
    all.extend(EXITS.iter().map(|exit| format!("<exit_{}>", exit.name())));
    all.extend((0..DEPTH.len()).map(|i| format!("<D{i}>")));
    all.extend((1..=LINE.len()).map(|i| format!("<L{i}>")));
    all.extend((0..INDENT.len()).map(|i| format!("<I{i}>")));
    all.push("<I+>".into());
    all.extend((0..SLOT.len()).map(|i| format!("<n{i}>")));
    all.extend((0..=255).map(|i| format!("<0x{i:02X}>")));
    all.extend((b' '..=b'~').map(|c| char::from(c).to_string()));
    all.extend(own(&[", ", ": ", "…"]));
    all.extend(own(&OPERATORS));
    all.extend(own(&CODE_NAMES));
    all.extend(own(WORDS));
    all
});

static WORD_IDS: LazyLock<HashMap<&'static str, Token>> = LazyLock::new(|| {
    let words = WORDS.iter().copied().zip(WORD);
    CODE_NAMES.iter().copied().zip(CODE_NAME).chain(words).collect()
});

/// The token of one of Python's own words, or of a code object's name.
pub fn word(text: &str) -> Option<Token> {
    WORD_IDS.get(text).copied()
}

/// The text a token stands for by itself: a word, an operator, a character.
pub fn text(token: Token) -> Option<&'static str> {
    (token >= CHAR.start).then(|| STRINGS.get(token as usize)).flatten().map(String::as_str)
}

/// The token of a printable ASCII character.
pub fn ascii(c: char) -> Option<Token> {
    matches!(c, ' '..='~').then(|| CHAR.start + (c as Token - ' ' as Token))
}

/// The character of a printable ASCII token.
pub fn as_ascii(token: Token) -> Option<char> {
    CHAR.contains(&token).then(|| char::from(b' ' + (token - CHAR.start) as u8))
}

/// The token of an action, if the language has it.
pub fn action(direction: Direction, action: Action) -> Option<Token> {
    let at = ACTIONS.iter().position(|&entry| entry == (direction, action))?;
    Some(ACTION.start + at as Token)
}

/// The token of an event.
pub fn event(event: Event, suspension: bool) -> Token {
    let both = suspension && matches!(event, Event::Call | Event::Return);
    let at = EVENTS.iter().position(|&entry| entry == (event, both)).unwrap_or(0);
    EVENT.start + at as Token
}

/// The token of an exit; `None` for a cut recording.
pub fn exit(exit: Exit) -> Option<Token> {
    let at = EXITS.iter().position(|&entry| entry == exit)?;
    Some(EXIT.start + at as Token)
}

/// SHA-256 over all token strings, each ended by a line feed, in hex.
pub fn sha256() -> String {
    let mut hash = Sha256::new();
    for string in STRINGS.iter() {
        hash.update(string.as_bytes());
        hash.update(b"\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_table_is_as_long_as_its_ranges_and_no_string_is_twice_in_it() {
        assert_eq!(STRINGS.len(), SIZE);
        assert_eq!(STRINGS.iter().collect::<HashSet<_>>().len(), SIZE);
        assert!(SIZE <= usize::from(u16::MAX));
        assert!(WORDS.iter().all(|word| word.len() > 1));
    }

    #[test]
    fn ranges_point_at_what_they_say() {
        let at = |token: Token| STRINGS[token as usize].as_str();
        assert_eq!((at(PAD), at(DEEP)), ("<pad>", "<deep>"));
        assert_eq!(
            (at(ACTION.start), at(EVENT.start), at(EXIT.start)),
            ("<into>", "<call>", "<exit_normal>")
        );
        assert_eq!((at(DEPTH.start), at(LINE.start), at(INDENT.start)), ("<D0>", "<L1>", "<I0>"));
        assert_eq!((at(CONTINUED), at(SLOT.start), at(BYTE.start)), ("<I+>", "<n0>", "<0x00>"));
        assert_eq!(
            (at(CHAR.start), at(CHAR.end - 1), at(COMMA), at(COLON), at(CUT)),
            (" ", "~", ", ", ": ", "…")
        );
        assert_eq!(
            (at(OPERATOR.start), at(CODE_NAME.start), at(WORD.start)),
            ("**=", "<module>", "False")
        );
        assert_eq!(at(KEYWORD.end - 1), "yield");
        assert_eq!(word("len").and_then(text), Some("len"));
        for (token, c) in CHAR.zip(' '..='~') {
            assert_eq!((ascii(c), as_ascii(token)), (Some(token), Some(c)));
        }
    }

    #[test]
    fn the_table_has_not_changed_without_a_new_version() {
        assert_eq!(
            (super::super::VERSION, sha256().as_str()),
            (1, "546d93ab71c62d4d2d50cc411d6f120c876a2962754fadb7bae4ec0ae2e7eadd")
        );
    }
}
