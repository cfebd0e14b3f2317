//! Whether an oracle is as sure as it is right.
//!
//! Must not know: what was asked.

/// Bins of equal width over 0..=1.
const BINS: usize = 10;

/// Confidence beside rightness, in ten bins (reliability diagram; Guo et al. 2017, "On
/// Calibration of Modern Neural Networks", section 3).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Calibration {
    bins: [Bin; BINS],
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bin {
    count: u64,
    right: u64,
    confidence: f64,
}

impl Calibration {
    /// Counts one answer.
    pub fn add(&mut self, confidence: f32, right: bool) {
        let confidence = f64::from(confidence).clamp(0.0, 1.0);
        let at = ((confidence * BINS as f64) as usize).min(BINS - 1);
        if let Some(bin) = self.bins.get_mut(at) {
            bin.count += 1;
            bin.right += u64::from(right);
            bin.confidence += confidence;
        }
    }

    /// Answers counted.
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// Mean confidence and share of right answers; `None` without answers.
    pub fn means(&self) -> Option<(f64, f64)> {
        let count = self.count();
        let confidence: f64 = self.bins.iter().map(|bin| bin.confidence).sum();
        let right: u64 = self.bins.iter().map(|bin| bin.right).sum();
        (count > 0).then(|| (confidence / count as f64, right as f64 / count as f64))
    }

    /// Expected calibration error: the mean distance, weighted by count, between a bin's
    /// mean confidence and its share of right answers. `None` without answers.
    pub fn ece(&self) -> Option<f64> {
        let distance: f64 =
            self.bins.iter().map(|bin| (bin.confidence - bin.right as f64).abs()).sum();
        let count = self.count();
        (count > 0).then(|| distance / count as f64)
    }
}
