//! What followed the last time: a guess of what comes next, made from the ids alone.
//!
//! Values repeat from state to state, mostly whole. So the longest stretch at the end of a
//! sequence that stood in it before is found, and what followed there is guessed. (Known as
//! prompt lookup decoding.) A guess costs its part of one pass and never changes the answer.

/// Fewest ids that have to agree: fewer are chance.
const FEWEST: usize = 2;
/// Agreement beyond which none is better.
const ENOUGH: usize = 12;
/// Most ids guessed at once: what a pass over a small model takes at little more cost than one.
const AHEAD: usize = 8;

/// The ids that may follow a sequence; empty if its end is new. What repeats up to the end is
/// guessed to go on repeating.
pub(super) fn lookup(sequence: &[u32]) -> Vec<u32> {
    let Some(last) = sequence.len().checked_sub(1) else { return Vec::new() };
    let mut best = (FEWEST - 1, last);
    for end in (0..last).rev() {
        if sequence[end] != sequence[last] {
            continue;
        }
        let before = sequence[..end].iter().rev();
        let agree = before.zip(sequence[..last].iter().rev()).take_while(|(a, b)| a == b);
        let length = 1 + agree.take(ENOUGH).count();
        // the latest of equally long ones
        if length > best.0 {
            best = (length, end);
        }
        if length >= ENOUGH {
            break;
        }
    }
    let period = last - best.1;
    let ahead = if period == 0 { 0 } else { AHEAD };
    (0..ahead).map(|i| sequence[best.1 + 1 + i % period]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_followed_the_longest_and_latest_agreement_is_guessed() {
        let cases: [(&[u32], &[u32]); 7] = [
            (&[], &[]),
            (&[1], &[]),
            (&[1, 2, 3], &[]),
            (&[5, 1, 5], &[]), // one id is chance
            (&[1, 2, 3, 4, 1, 2], &[3, 4, 1, 2, 3, 4, 1, 2]),
            (&[1, 2, 3, 1, 2, 4, 1, 2], &[4, 1, 2, 4, 1, 2, 4, 1]), // the latest
            (&[9, 1, 2, 3, 1, 2, 4, 9, 1, 2], &[3, 1, 2, 4, 9, 1, 2, 3]), // the longest
        ];
        for (sequence, wanted) in cases {
            assert_eq!(lookup(sequence), wanted, "{sequence:?}");
        }
        assert_eq!(lookup(&[7; 100]), [7; AHEAD]);
    }
}
