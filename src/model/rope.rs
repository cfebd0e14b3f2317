//! Rotary positions: the angles, shared by both engines.

use super::Config;

/// The rotation of each pair of a head's numbers, as radians per position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rope {
    /// `[rope_dim / 2]`
    frequencies: Vec<f64>,
}

impl Rope {
    /// `factors` (`rope_freqs.weight`, `[rope_dim / 2]`) lengthen each wavelength.
    pub(super) fn new(config: &Config, factors: Option<&[f32]>) -> Self {
        let half = config.rope_dim / 2;
        let frequency = |i: usize| {
            let exponent = -2.0 * i as f64 / config.rope_dim as f64;
            let factor = factors.and_then(|f| f.get(i)).map_or(1.0, |&f| f64::from(f));
            f64::from(config.rope_scale) * f64::from(config.rope_base).powf(exponent) / factor
        };
        Rope { frequencies: (0..half).map(frequency).collect() }
    }

    /// Cosines and sines at `count` positions from `start`: two of `[count × rope_dim / 2]`.
    pub(super) fn angles(&self, start: usize, count: usize) -> (Vec<f32>, Vec<f32>) {
        let positions = (start..start + count).flat_map(|position| {
            self.frequencies.iter().map(move |frequency| position as f64 * frequency)
        });
        positions.map(|angle| (angle.cos() as f32, angle.sin() as f32)).unzip()
    }
}
