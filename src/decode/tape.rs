//! A cache and the ids it holds, kept in step.

use super::{DecodeError, Watch};
use crate::model::{CHUNK, Cache, Logits, Model, ModelError, Want};

/// The sequence that a model has read so far.
///
/// Prompts that share a beginning with it cost only their new ids: that is what makes
/// stepping, rewinding and branching cheap.
#[derive(Debug, Clone)]
pub struct Tape {
    cache: Cache,
    ids: Vec<u32>,
}

impl Tape {
    /// An empty tape with room for `capacity` ids; it grows when more come.
    ///
    /// # Errors
    /// When the device has no memory for it.
    pub fn new(model: &Model, capacity: usize) -> Result<Self, ModelError> {
        Ok(Tape { cache: model.cache(capacity)?, ids: Vec::new() })
    }

    /// The ids that it holds.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Keeps what it has in common with a prompt, except the prompt's last id, which has
    /// to be read (again) for its logits. Returns how many ids were kept.
    pub fn rewind_to(&mut self, prompt: &[u32]) -> usize {
        let common = self.ids.iter().zip(prompt).take_while(|(a, b)| a == b).count();
        let kept = common.min(prompt.len().saturating_sub(1));
        self.truncate(kept);
        kept
    }

    /// Forgets all ids behind the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.ids.truncate(len);
        self.cache.truncate(len);
    }

    /// Reads ids, in chunks so that it can be cancelled. Of several chunks only the last has
    /// logits.
    pub(super) fn read(
        &mut self,
        model: &Model,
        ids: &[u32],
        want: Want<'_>,
        watch: &dyn Watch,
    ) -> Result<Logits, DecodeError> {
        let mut logits = Logits::default();
        let mut done = 0;
        for chunk in ids.chunks(CHUNK) {
            if watch.cancelled() {
                return Err(DecodeError::Cancelled);
            }
            done += chunk.len();
            let want = if done == ids.len() { want } else { Want::Nothing };
            logits = model.forward(chunk, &mut self.cache, want)?;
            self.ids.extend_from_slice(chunk);
            if ids.len() > CHUNK {
                watch.prompt(done, ids.len());
            }
        }
        Ok(logits)
    }
}
