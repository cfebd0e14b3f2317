use super::*;
use crate::codec::tokenizer::{Kind, Spec, Tokenizer};
use std::sync::Arc;

/// Bytes, some longer tokens, and one control token (the last).
fn vocabulary() -> Arc<Vocabulary> {
    let mut tokens: Vec<String> = (0..=255u8).map(|b| format!("<0x{b:02X}>")).collect();
    let mut kinds = vec![6; 256];
    for text in [" ", "ab", "abc", "\": \"", "\"}", "{\"", "x = ", "\n", "li", "lin", "line", " 1"]
    {
        tokens.push(text.replace(' ', "\u{2581}"));
        kinds.push(1);
    }
    tokens.push("<|end|>".into());
    kinds.push(3);
    let scores = (0..tokens.len()).map(|i| i as f32).collect();
    let spec = Spec { model: "llama".into(), tokens, kinds, scores, ..Spec::default() };
    Arc::new(Vocabulary::new(Tokenizer::new(spec).unwrap()))
}

fn end(vocabulary: &Vocabulary) -> TokenId {
    vocabulary.tokenizer.control("<|end|>").unwrap()
}

fn cursor(expr: &Expr, patience: usize) -> Cursor {
    Cursor::new(Machine::new(expr, vocabulary()), patience)
}

fn spelled(cursor: &mut Cursor) -> Vec<String> {
    let vocabulary = vocabulary();
    cursor.allowed().iter().map(|&id| vocabulary.tokenizer.decode(&[id])).collect()
}

#[test]
fn masks_are_what_brute_force_says() {
    let vocabulary = vocabulary();
    let expr = Expr::Seq(vec![
        Expr::one_of(["abcd", "abx", "line 1", "line 2"]),
        Expr::json_string(),
        Expr::Control(end(&vocabulary)),
    ]);
    for text in ["", "a", "ab", "abc", "abcd", "l", "line", "line 1\"", "abx\"q\\", "abx\"\\u00"] {
        let mut machine = Machine::new(&expr, vocabulary.clone());
        let mut state = machine::START;
        for &byte in text.as_bytes() {
            state = machine.byte(state, byte);
        }
        let expected: Vec<TokenId> = (0..vocabulary.tokenizer.len() as TokenId)
            .filter(|&id| machine.token(state, id) != machine::DEAD)
            // Of a byte and a token with the same spelling, the token counts.
            .filter(|&id| {
                vocabulary.tokenizer.kind(id) != Kind::Byte
                    || !matches!(vocabulary.tokenizer.bytes(id), b"\n" | b" ")
            })
            .collect();
        assert_eq!(machine.allowed(state).as_ref(), expected, "after {text:?}");
        assert!(!expected.is_empty());
    }
}

#[test]
fn forced_text_is_spelled_by_the_tokenizer() {
    let end = end(&vocabulary());
    let mut cursor = cursor(&Expr::Seq(vec![Expr::text("abab"), Expr::Control(end)]), 1000);
    let forced = cursor.forced();
    assert_eq!(vocabulary().tokenizer.decode(&forced), "abab<|end|>");
    assert_eq!(forced.len(), 3);
    for id in forced {
        assert_eq!(cursor.allowed(), [id]);
        assert!(!cursor.done());
        assert!(cursor.push(id));
    }
    assert!(cursor.done());
    assert!(cursor.allowed().is_empty());
}

#[test]
fn before_a_choice_the_last_word_is_left_open() {
    let mut cursor = cursor(&Expr::one_of(["a line 1", "a line 2"]), 1000);
    assert_eq!(cursor.forced(), vocabulary().tokenizer.encode("a"));
    for id in vocabulary().tokenizer.encode("a line") {
        assert!(cursor.push(id));
    }
    // Of the forced " " the token could also be " 1".
    assert!(cursor.forced().is_empty());
    assert_eq!(spelled(&mut cursor), [" ", " 1"]);
}

#[test]
fn leaving_the_language_is_noticed_and_kept() {
    let mut cursor = cursor(&Expr::text("abc"), 1000);
    assert!(!cursor.push(TokenId::from(b'z')));
    assert!(!cursor.done());
    assert_eq!(cursor.allowed().len(), vocabulary().tokenizer.len());
    assert!(!cursor.push(TokenId::from(b'a')));
    assert_eq!(cursor.pushed(), [TokenId::from(b'z'), TokenId::from(b'a')]);
}

#[test]
fn impatience_leads_to_the_end() {
    let end = end(&vocabulary());
    let expr = Expr::Seq(vec![Expr::json_string().separated(", "), Expr::Control(end)]);
    let mut cursor = cursor(&expr, 5);
    cursor.push(TokenId::from(b'"'));
    for _ in 0..100 {
        if cursor.done() {
            break;
        }
        // A model that never wants to stop.
        let id = cursor.allowed().iter().copied().find(|&id| id == TokenId::from(b'\\'));
        let id = id.or(cursor.allowed().first().copied()).unwrap();
        assert!(cursor.push(id));
    }
    assert!(cursor.done(), "{:?}", vocabulary().tokenizer.decode(cursor.pushed()));
    assert!(cursor.pushed().len() <= 9);
}

#[test]
fn lines_are_valid_utf8() {
    let mut cursor = cursor(&Expr::Seq(vec![Expr::line(), Expr::text("\n")]), 1000);
    assert!(!cursor.allowed().contains(&TokenId::from(0x80_u8)));
    assert!(!cursor.allowed().contains(&TokenId::from(0xFF_u8)));
    for (byte, legal) in [(0xF0u8, true), (0x9F, true), (0x99, true), (0x82, true), (0x82, false)] {
        assert_eq!(cursor.push(TokenId::from(byte)), legal, "{byte:x}");
    }
}
