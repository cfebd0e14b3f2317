//! Rotary positions: the angles, shared by both engines.

use super::Config;

/// The rotation of each pair of a head's numbers, as radians per position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rope {
    /// `[rope_dim / 2]`
    frequencies: Vec<f64>,
}

impl Rope {
    /// Of the layers that see all positions. `factors` (`rope_freqs.weight`,
    /// `[rope_dim / 2]`) lengthen each wavelength.
    pub(super) fn new(config: &Config, factors: Option<&[f32]>) -> Self {
        let factor = |i: usize| factors.and_then(|f| f.get(i)).map_or(1.0, |&f| f64::from(f));
        Self::of(config, config.rope_base, |i| f64::from(config.rope_scale) / factor(i))
    }

    /// Of the layers with a window, if theirs is another.
    pub(super) fn windowed(config: &Config) -> Option<Self> {
        let base = config.window.as_ref()?.rope_base?;
        Some(Self::of(config, base, |_| 1.0))
    }

    fn of(config: &Config, base: f32, scale: impl Fn(usize) -> f64) -> Self {
        let frequency = |i: usize| {
            let exponent = -2.0 * i as f64 / config.rope_dim as f64;
            scale(i) * f64::from(base).powf(exponent)
        };
        Rope { frequencies: (0..config.rope_dim / 2).map(frequency).collect() }
    }

    /// Cosines and sines at `count` positions from `start`: `[count × rope_dim / 2]` each,
    /// written over what the buffers hold.
    pub(super) fn angles(&self, start: usize, count: usize, angles: &mut Angles) {
        angles.cos.clear();
        angles.sin.clear();
        for position in start..start + count {
            for frequency in &self.frequencies {
                let (sin, cos) = (position as f64 * frequency).sin_cos();
                angles.cos.push(cos as f32);
                angles.sin.push(sin as f32);
            }
        }
    }
}

/// Cosines and sines of some positions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Angles {
    pub(super) cos: Vec<f32>,
    pub(super) sin: Vec<f32>,
}
