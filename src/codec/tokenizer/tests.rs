//! Against llama.cpp's own ids (`tests/fixtures/tokenizer`, with the script that made them).

use super::*;
use serde_json::Value as Json;

fn golden() -> Json {
    serde_json::from_str(include_str!("../../../tests/fixtures/tokenizer/golden.json")).unwrap()
}

fn strings(json: &Json) -> Vec<String> {
    serde_json::from_value(json.clone()).unwrap()
}

fn ids(json: &Json) -> Vec<Vec<TokenId>> {
    serde_json::from_value(json.clone()).unwrap()
}

fn spec(json: &Json, pre: &str) -> Spec {
    Spec {
        model: json["model"].as_str().unwrap().into(),
        pre: pre.into(),
        tokens: strings(&json["tokens"]),
        kinds: serde_json::from_value(json["kinds"].clone()).unwrap(),
        merges: json.get("merges").map(strings).unwrap_or_default(),
        scores: serde_json::from_value(json.get("scores").cloned().unwrap_or(Json::Array(vec![])))
            .unwrap(),
        ..Spec::default()
    }
}

/// Every line must give exactly these ids, and the ids every byte of the line.
fn check(tokenizer: &Tokenizer, lines: &[String], expected: &[Vec<TokenId>]) {
    assert_eq!(lines.len(), expected.len());
    for (line, expected) in lines.iter().zip(expected) {
        let ids = tokenizer.encode(line);
        let spelled: Vec<_> = ids.iter().map(|&id| tokenizer.decode(&[id])).collect();
        assert_eq!(&ids, expected, "{line:?} as {spelled:?}");
        assert_eq!(&tokenizer.decode(&ids), line);
    }
}

#[test]
fn bpe_equals_llama_cpp_for_every_split() {
    let golden = golden();
    for (pre, expected) in golden["bpe_ids"].as_object().unwrap() {
        let tokenizer = Tokenizer::new(spec(&golden["bpe"], pre)).unwrap();
        check(&tokenizer, &strings(&golden["lines"]), &ids(expected));
    }
}

#[test]
fn spm_equals_llama_cpp() {
    let golden = golden();
    let tokenizer = Tokenizer::new(spec(&golden["spm"], "default")).unwrap();
    check(&tokenizer, &strings(&golden["lines"]), &ids(&golden["spm_ids"]));
    let start = Tokenizer::new(Spec { add_space_prefix: true, ..spec(&golden["spm"], "") });
    let start = start.unwrap();
    assert_eq!(start.encode_start("a"), start.encode(" a"));
}

#[test]
fn what_is_settled_stays_whatever_follows() {
    let golden = golden();
    let mut settled = 0;
    for (key, pre) in [("bpe", "smollm"), ("bpe", "llama-bpe"), ("bpe", "default"), ("spm", "")] {
        let tokenizer = Tokenizer::new(spec(&golden[key], pre)).unwrap();
        for line in strings(&golden["lines"]) {
            let whole = tokenizer.encode(&line);
            for (end, _) in line.char_indices() {
                let ids = tokenizer.encode_open(&line[..end]);
                assert!(whole.starts_with(&ids), "{:?} of {line:?} in {key} {pre}", &line[..end]);
                settled += ids.len();
            }
        }
    }
    assert!(settled > 1000);
}

#[test]
fn control_tokens_are_never_read_from_text() {
    let golden = golden();
    for key in ["bpe", "spm"] {
        let tokenizer = Tokenizer::new(spec(&golden[key], "smollm")).unwrap();
        for id in 0..tokenizer.len() as TokenId {
            if tokenizer.kind(id) == Kind::Control {
                let spelling = tokenizer.decode(&[id]);
                assert_eq!(tokenizer.control(&spelling), Some(id));
                assert!(!tokenizer.encode(&format!("a{spelling}b")).contains(&id), "{spelling}");
            }
        }
    }
}

#[test]
fn unfinished_characters_wait() {
    let golden = golden();
    let tokenizer = Tokenizer::new(spec(&golden["spm"], "")).unwrap();
    let ids = tokenizer.encode("ж🙂");
    let shown: Vec<_> = (0..=ids.len()).map(|n| tokenizer.decode(&ids[..n])).collect();
    assert!(shown.iter().all(|text| !text.contains('\u{fffd}')), "{shown:?}");
    assert_eq!(shown.last().unwrap(), "ж🙂");
    let byte = |b: u8| 3 + TokenId::from(b);
    assert_eq!(tokenizer.decode(&[byte(0xFF), byte(b'a'), byte(0xE2)]), "\u{fffd}a");
}

#[test]
fn bad_vocabularies_say_why() {
    let golden = golden();
    let good = || spec(&golden["bpe"], "smollm");
    for (spec, expected) in [
        (
            Spec { pre: "tekken".into(), ..good() },
            "the pre-tokenizer `tekken` is not supported; default, gpt-2, smollm,",
        ),
        (Spec { model: "t5".into(), ..good() }, "the tokenizer `t5` is not supported"),
        (Spec::default(), "the vocabulary is corrupt: it has 0 tokens"),
        (Spec { kinds: vec![1], ..good() }, "the vocabulary is corrupt: 1461 tokens, but 1"),
        (Spec { eos: Some(9999), ..good() }, "the vocabulary is corrupt: token 9999 is named"),
        (Spec { merges: vec!["x".into()], ..good() }, "the vocabulary is corrupt: the merge"),
        (Spec { merges: vec!["x zz".into()], ..good() }, "the vocabulary is corrupt: "),
        (Spec { model: "llama".into(), ..good() }, "the vocabulary is corrupt: 1461 tokens, but 0"),
    ] {
        let error = Tokenizer::new(spec).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn marks_that_end_an_answer_are_not_found_in_text_even_where_a_file_calls_them_text() {
    let golden = golden();
    for kind in [1, 4] {
        let mut spec = spec(&golden["spm"], "default");
        let id = spec.tokens.len() as TokenId;
        spec.tokens.push("<end_of_turn>".into());
        spec.kinds.push(kind);
        spec.scores.push(0.0);
        let tokenizer = Tokenizer::new(spec).unwrap();
        let ids = tokenizer.encode("a<end_of_turn>b");
        assert!(!ids.contains(&id), "{ids:?}");
        assert_eq!(tokenizer.decode(&ids), "a<end_of_turn>b");
    }
}

#[test]
fn bytes_are_their_own_ids() {
    let tokenizer = Tokenizer::new(Spec::bytes()).unwrap();
    for text in ["", "x = 'é\u{1F600}'\n", "  <|im_end|>\t12 ", "\u{0}\u{7f}\u{ad}"] {
        let ids: Vec<TokenId> = text.bytes().map(TokenId::from).collect();
        assert_eq!(tokenizer.encode(text), ids, "{text:?}");
        assert_eq!(tokenizer.decode(&ids), text);
    }
    assert!((0..=u8::MAX).all(|byte| tokenizer.bytes(TokenId::from(byte)) == [byte]));
}
