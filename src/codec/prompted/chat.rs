//! The instruction, its worked example, and the chat templates they are put in.
//!
//! Templates are Jinja programs in model files; the families that matter differ only in
//! their marks, so a table of marks serves. Must not know: states, programs.

use crate::codec::TokenId;
use crate::codec::tokenizer::Tokenizer;

const SYSTEM: &str = "You are a Python debugger. You continue traces of Python programs exactly.";

const INSTRUCTION: &str = "\
Continue the trace of a Python program. Each step is one line that says where execution is \
now, then the variables that have changed on the way there, one `name = value` a line with \
Python's repr, or `del name`, then an empty line:
line N: the code about to run
call N: the function that begins, then its arguments
return N: the code => the value returned
exception N: the code => the exception
end normal, or end error

Program:
";

const EXAMPLE: &str = "\
1: def add(a, b):
2:     c = a + b
3:     return c
4:
5: words = ['x', 'y']
6: n = 0
7: for w in words:
8:     n = add(n, 2)
9:     break
";

const EXAMPLE_TRACE: &str = "\
call 1: <module>

line 1: def add(a, b):

line 5: words = ['x', 'y']

line 6: n = 0
words = ['x', 'y']

line 7: for w in words:
n = 0

line 8: n = add(n, 2)
w = 'x'

call 1: def add(a, b):
a = 0
b = 2

line 2: c = a + b

line 3: return c
c = 2

return 3: return c => 2

line 9: break
n = 2

return 9: break => None

end normal

";

/// How a family marks turns: `None` for a role it does not have.
#[derive(Debug)]
struct Family {
    /// Control tokens around a role's name.
    open: (&'static str, &'static str),
    /// Text after the opening marks.
    after_open: &'static str,
    /// Control token at the end of a turn, and text after it.
    close: (&'static str, &'static str),
    system: Option<&'static str>,
    user: &'static str,
    assistant: &'static str,
}

const FAMILIES: &[Family] = &[
    // ChatML: SmolLM2, Qwen, and many others.
    Family {
        open: ("<|im_start|>", ""),
        after_open: "\n",
        close: ("<|im_end|>", "\n"),
        system: Some("system"),
        user: "user",
        assistant: "assistant",
    },
    // Llama 3.
    Family {
        open: ("<|start_header_id|>", "<|end_header_id|>"),
        after_open: "\n\n",
        close: ("<|eot_id|>", ""),
        system: Some("system"),
        user: "user",
        assistant: "assistant",
    },
    // Gemma.
    Family {
        open: ("<start_of_turn>", ""),
        after_open: "\n",
        close: ("<end_of_turn>", "\n"),
        system: None,
        user: "user",
        assistant: "model",
    },
];

/// The template of one model; without a family, plain text.
#[derive(Debug)]
pub(super) struct Chat {
    family: Option<&'static Family>,
}

impl Chat {
    /// The family whose marks the vocabulary has, unless the model says that it is not a
    /// chat model by having no template.
    pub(super) fn of(tokenizer: &Tokenizer) -> Self {
        let has = |mark: &str| mark.is_empty() || tokenizer.control(mark).is_some();
        let family = FAMILIES.iter().find(|family| {
            let marks = [family.open.0, family.open.1, family.close.0];
            marks.iter().all(|mark| has(mark))
                && tokenizer.chat_template().is_some_and(|template| template.contains(marks[0]))
        });
        Chat { family }
    }

    /// Everything before the trace: instruction, example, and the program's listing.
    pub(super) fn begin(&self, tokenizer: &Tokenizer, listing: &str) -> Vec<TokenId> {
        let mut ids: Vec<TokenId> = tokenizer.bos().into_iter().collect();
        let first = format!("{INSTRUCTION}{EXAMPLE}");
        let second = format!("Program:\n{listing}");
        let Some(family) = self.family else {
            let text = format!("{first}\nTrace:\n{EXAMPLE_TRACE}\n{second}\nTrace:\n");
            ids.extend(tokenizer.encode_start(&text));
            return ids;
        };
        let mut turn = |role: &str, text: &str, closed: bool| {
            ids.extend(tokenizer.control(family.open.0));
            ids.extend(tokenizer.encode(role));
            ids.extend(tokenizer.control(family.open.1));
            ids.extend(tokenizer.encode(&format!("{}{text}", family.after_open)));
            if closed {
                ids.extend(tokenizer.control(family.close.0));
                ids.extend(tokenizer.encode(family.close.1));
            }
        };
        match family.system {
            Some(role) => {
                turn(role, SYSTEM, true);
                turn(family.user, &first, true);
            }
            None => turn(family.user, &format!("{SYSTEM}\n\n{first}"), true),
        }
        turn(family.assistant, EXAMPLE_TRACE, true);
        turn(family.user, &second, true);
        turn(family.assistant, "", false);
        ids
    }
}
