//! A value's text, token by token: strings closed, brackets balanced, one spelling.

use crate::codec::compact::names::Names;
use crate::codec::compact::set::TokenSet;
use crate::codec::compact::text::Text;
use crate::codec::compact::value::{closing, in_name, is_raw};
use crate::codec::compact::vocab::{
    self, BYTE, CHAR, COLON, COMMA, CUT, RAW, SLOT, SPELL, Token, WORD,
};
use crate::trace::Value;
use std::sync::LazyLock;

/// A value so far.
#[derive(Debug, Clone, Default)]
pub struct ValueReader {
    text: Text,
    mode: Mode,
    brackets: Vec<char>,
    started: bool,
}

/// Where in a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    /// Outside strings, after a character that is no part of a name.
    #[default]
    Outside,
    /// After a name; `b` must not be followed by a quote, which would be bytes.
    Named { b: bool },
    /// In a spelled name, which began at this byte.
    Spelling(usize),
    /// In a number.
    Number,
    /// After the `b` of a bytes literal.
    Prefix,
    /// In a string.
    Inside { quote: char, escaped: bool },
    /// Anything.
    Raw,
}

/// Sets that do not depend on the value.
struct Sets {
    /// Printable ASCII, the cut mark and first bytes: any character.
    any: TokenSet,
    /// Of those, what is outside names and numbers; no brackets that close.
    outside: TokenSet,
    name: TokenSet,
    digits: TokenSet,
}

static SETS: LazyLock<Sets> = LazyLock::new(|| {
    let chars = |keep: fn(char) -> bool| {
        CHAR.filter(move |&token| vocab::as_ascii(token).is_some_and(keep)).collect::<TokenSet>()
    };
    let mut others: TokenSet = BYTE.filter(|&token| Text::begins(token)).collect();
    others.insert(CUT);
    let mut any = chars(|_| true);
    any.add(&others);
    let mut outside = chars(|c| !in_name(c) && !matches!(c, ')' | ']' | '}'));
    outside.add(&others);
    outside.extend([COMMA, COLON]);
    Sets { any, outside, name: chars(in_name), digits: chars(|c| c.is_ascii_digit()) }
});

impl ValueReader {
    /// Whether nothing was taken.
    pub fn is_empty(&self) -> bool {
        !self.started
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        self.text.text()
    }

    /// The value.
    pub fn into_value(self) -> Value {
        Value::from(self.text.text())
    }

    /// Takes a token that [`Self::allowed`] has.
    pub fn push(&mut self, token: Token, names: &mut Names) {
        self.started = true;
        if token == RAW {
            self.mode = Mode::Raw;
            return;
        }
        if !self.is_in_spelled(token) {
            self.finish(names);
        }
        if token == SPELL {
            self.mode = Mode::Spelling(self.text.text().len());
            return;
        }
        if SLOT.contains(&token) || WORD.contains(&token) {
            let name = names.text(token).unwrap_or_default();
            self.text.add(name);
            self.mode = Mode::Named { b: name == "b" };
            return;
        }
        self.text.push(token);
        let c = vocab::as_ascii(token);
        self.mode = match (self.mode, c) {
            (Mode::Spelling(_) | Mode::Raw, _) => self.mode,
            (Mode::Inside { quote, escaped: true }, _) => Mode::Inside { quote, escaped: false },
            (Mode::Inside { quote, .. }, Some('\\')) => Mode::Inside { quote, escaped: true },
            (Mode::Inside { quote, .. }, Some(c)) if c == quote => Mode::Outside,
            (Mode::Inside { .. }, _) => self.mode,
            (_, Some(quote @ ('\'' | '"'))) => Mode::Inside { quote, escaped: false },
            (Mode::Number, Some(c)) if in_name(c) || c == '.' => Mode::Number,
            (_, Some(c)) if c.is_ascii_digit() => Mode::Number,
            (_, Some('b')) => Mode::Prefix,
            (_, Some(c)) => {
                if let Some(close) = closing(c) {
                    self.brackets.push(close);
                } else if self.brackets.last() == Some(&c) {
                    self.brackets.pop();
                }
                Mode::Outside
            }
            (_, None) => Mode::Outside,
        };
    }

    fn is_in_spelled(&self, token: Token) -> bool {
        matches!(self.mode, Mode::Spelling(_)) && SETS.name.contains(token)
    }

    /// A spelled name that ends gets a slot if one is free.
    pub fn finish(&mut self, names: &mut Names) {
        if let Mode::Spelling(start) = self.mode {
            let name = self.text.text().get(start..).unwrap_or_default();
            names.assign(name);
            self.mode = Mode::Named { b: name == "b" };
        }
    }

    /// Whether the value may end here.
    pub fn can_end(&self, names: &Names) -> bool {
        if !self.started || !self.text.is_whole() {
            return false;
        }
        match self.mode {
            Mode::Raw => is_raw(self.text.text()),
            Mode::Inside { .. } | Mode::Prefix => false,
            Mode::Spelling(start) => self.new_name(start, names) && self.brackets.is_empty(),
            Mode::Outside | Mode::Named { .. } | Mode::Number => self.brackets.is_empty(),
        }
    }

    /// The token that leads to the end of a value that is to be cut; `None` if it is
    /// marked as cut already.
    pub fn closing(&self) -> Option<Token> {
        let text = self.text.text();
        match (self.mode, self.brackets.last()) {
            (Mode::Inside { escaped: true, .. }, _) => vocab::ascii('\\'),
            (Mode::Inside { quote, .. }, _) => vocab::ascii(quote),
            (Mode::Prefix, _) => vocab::ascii('\''),
            (Mode::Raw, _) if !is_raw(text) => vocab::ascii(')'),
            (
                Mode::Outside | Mode::Named { .. } | Mode::Number | Mode::Spelling(_),
                Some(&close),
            ) => vocab::ascii(close),
            _ => (!text.ends_with(vocab::text(CUT).unwrap_or_default())).then_some(CUT),
        }
    }

    /// Brackets that are open.
    pub fn open(&self) -> usize {
        self.brackets.len()
    }

    /// Whether the spelled name may end: it is one that has no token.
    fn new_name(&self, start: usize, names: &Names) -> bool {
        let name = self.text.text().get(start..).unwrap_or_default();
        !name.is_empty() && names.token(name).is_none()
    }

    /// Inserts the tokens that may follow, other than the value's end.
    pub fn allowed(&self, names: &Names, set: &mut TokenSet) {
        if !self.text.is_whole() {
            return self.text.continuation(set);
        }
        if !self.started {
            set.insert(RAW);
        }
        match self.mode {
            Mode::Raw | Mode::Inside { .. } => set.add(&SETS.any),
            Mode::Prefix => set.extend(['\'', '"'].into_iter().filter_map(vocab::ascii)),
            Mode::Outside => {
                self.outside(false, set);
                set.add(&SETS.digits);
                set.extend(WORD);
                set.add(names.plain());
                set.insert(SPELL);
                set.extend(vocab::ascii('b'));
            }
            Mode::Named { b } => self.outside(b, set),
            Mode::Number => {
                self.outside(false, set);
                set.add(&SETS.name);
            }
            Mode::Spelling(start) => {
                let name = self.text.text().get(start..).unwrap_or_default();
                set.add(&SETS.name);
                if name.is_empty() {
                    SETS.digits.iter().for_each(|digit| set.remove(digit));
                } else if self.new_name(start, names) {
                    self.outside(name == "b", set);
                }
            }
        }
    }

    /// Inserts what is no part of a name or number.
    fn outside(&self, after_b: bool, set: &mut TokenSet) {
        set.add(&SETS.outside);
        set.extend(self.brackets.last().and_then(|&close| vocab::ascii(close)));
        let mut without = |c: char| {
            if let Some(token) = vocab::ascii(c) {
                set.remove(token);
            }
        };
        if after_b {
            ['\'', '"'].into_iter().for_each(&mut without);
        }
        if self.mode == Mode::Outside && self.text.text().ends_with([',', ':']) {
            without(' ');
        }
    }
}
