//! A small seeded generator, so that a data set depends on its seed alone.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator for one item of a seeded whole.
    pub fn new(seed: u64, item: u64) -> Self {
        let mut seeded = Random(seed);
        let start = seeded.next() ^ item.wrapping_mul(0xd134_2543_de82_ef95);
        let mut random = Random(start);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number in 0..n; 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// One of these by weight.
    pub fn weighted<T: Copy>(&mut self, of: &[(T, f64)]) -> Option<T> {
        let mut at = self.unit() * of.iter().map(|(_, weight)| weight).sum::<f64>();
        for &(item, weight) in of {
            if at < weight {
                return Some(item);
            }
            at -= weight;
        }
        of.last().map(|&(item, _)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_differ_and_weights_hold() {
        let first = |item| Random::new(7, item).unit();
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
        let mut random = Random::new(1, 1);
        let draws =
            (0..10_000).filter(|_| random.weighted(&[(true, 1.0), (false, 3.0)]) == Some(true));
        let count = draws.count();
        assert!((2_300..2_700).contains(&count), "{count}");
        assert!((0..1_000).all(|_| random.below(3) < 3));
    }
}
