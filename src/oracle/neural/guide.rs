//! A dialect's reply as the decoder's mask, and a request's control as its watcher.

use super::super::{Control, Progress};
use crate::codec::Reply;
use crate::decode::{Mask, Watch};

/// Says what may follow, and reports what did.
pub(super) struct Guide<'a> {
    reply: Box<dyn Reply>,
    control: Option<&'a Control>,
    /// Unconstrained: all ids of the vocabulary.
    free: Option<Vec<u32>>,
}

impl<'a> Guide<'a> {
    /// `free`: the vocabulary's size if anything may follow.
    pub(super) fn new(
        reply: Box<dyn Reply>,
        control: Option<&'a Control>,
        free: Option<usize>,
    ) -> Self {
        let free = free.map(|vocab| (0..vocab as u32).collect());
        Guide { reply, control, free }
    }

    pub(super) fn into_reply(self) -> Box<dyn Reply> {
        self.reply
    }
}

impl Mask for Guide<'_> {
    fn allowed(&mut self) -> &[u32] {
        match &self.free {
            Some(all) => all,
            None => self.reply.allowed(),
        }
    }

    fn forced(&mut self) -> Vec<u32> {
        if self.free.is_some() { Vec::new() } else { self.reply.forced() }
    }

    fn push(&mut self, id: u32) {
        self.reply.push(id);
        if let Some(control) = self.control {
            control.report(Progress::Partial(self.reply.text()));
        }
    }

    fn done(&self) -> bool {
        self.reply.done()
    }

    fn fork(&self) -> Box<dyn Mask + '_> {
        let (reply, free) = (self.reply.fork(), self.free.clone());
        Box::new(Guide { reply, control: None, free })
    }
}

/// Nobody, or the requester.
pub(super) struct Waiting<'a>(pub(super) Option<&'a Control>);

impl Watch for Waiting<'_> {
    fn cancelled(&self) -> bool {
        self.0.is_some_and(Control::cancelled)
    }

    fn prompt(&self, done: usize, total: usize) {
        if let Some(control) = self.0 {
            control.report(Progress::Prompt(done, total));
        }
    }
}
