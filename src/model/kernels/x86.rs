//! Products of a stripe for x86-64: AVX2, and AVX-512 with VNNI.
//!
//! A value of [`Avx2`] or [`Vnni`] exists only if the CPU was asked and has the instructions,
//! so that calling the functions compiled for them is sound. The other `unsafe` is loads and
//! stores, each of an array of the size that is moved.

#![allow(unsafe_code, reason = "instructions that the compiler may not use by itself")]

use super::quantize::Panel;
use super::tile::{GROUP, LANES, Sums, TALLEST, Width};
use std::arch::x86_64::*;

/// Proof that the CPU has AVX2, FMA and F16C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// Proof that the CPU has AVX-512 F, BW and VNNI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vnni(());

impl Vnni {
    /// `Some` if this CPU can run it.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni");
        has.then_some(Vnni(()))
    }

    /// A panel with a stripe; see [`super::tile::Product`] for how many rows it may have.
    pub(super) fn stripe(
        self,
        width: Width,
        stripe: &[u8],
        panel: Panel<'_>,
        first: usize,
        sums: &mut Sums<'_>,
    ) {
        match width {
            Width::Four => self.of_bits::<4>(stripe, panel, first, sums),
            Width::Five => self.of_bits::<5>(stripe, panel, first, sums),
            Width::Eight => self.of_bits::<8>(stripe, panel, first, sums),
        }
    }

    fn of_bits<const BITS: u8>(
        self,
        stripe: &[u8],
        panel: Panel<'_>,
        first: usize,
        sums: &mut Sums<'_>,
    ) {
        // SAFETY: this value exists only on CPUs that have the instructions
        unsafe {
            match panel.rows {
                1 => sums.put(first, vnni::<1, BITS>(stripe, panel)),
                2 => sums.put(first, vnni::<2, BITS>(stripe, panel)),
                4 => sums.put(first, vnni::<4, BITS>(stripe, panel)),
                8 => sums.put(first, vnni::<8, BITS>(stripe, panel)),
                _ => sums.put(first, vnni::<TALLEST, BITS>(stripe, panel)),
            }
        }
    }
}

impl Avx2 {
    /// `Some` if this CPU can run it.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        has.then_some(Avx2(()))
    }

    /// A panel with a stripe; see [`super::tile::Product`] for how many rows it may have.
    pub(super) fn stripe(
        self,
        width: Width,
        stripe: &[u8],
        panel: Panel<'_>,
        first: usize,
        sums: &mut Sums<'_>,
    ) {
        // SAFETY: this value exists only on CPUs that have the instructions
        unsafe {
            match panel.rows {
                1 => sums.put(first, avx2::<1>(width, stripe, panel)),
                2 => sums.put(first, avx2::<2>(width, stripe, panel)),
                _ => sums.put(first, avx2::<4>(width, stripe, panel)),
            }
        }
    }
}

/// Four columns of eight groups, and the scales and sums, of `M` rows: one block.
fn blocks<const M: usize>(
    panel: Panel<'_>,
) -> impl Iterator<Item = (&[[i32; M]; 8], &[[f32; M]; 2])> {
    let integers = panel.integers.as_chunks::<M>().0.as_chunks::<8>().0;
    let scales = panel.scales.as_chunks::<M>().0.as_chunks::<2>().0;
    integers.iter().zip(scales)
}

/// `M` rows of activations with a stripe of integers of so many bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn vnni<const M: usize, const BITS: u8>(stripe: &[u8], panel: Panel<'_>) -> [[f32; LANES]; M] {
    let width = match BITS {
        4 => Width::Four,
        5 => Width::Five,
        _ => Width::Eight,
    };
    let low = _mm512_set1_epi8(15);
    let fifth = _mm512_set1_epi8(16);
    let mut sums = [_mm512_setzero_ps(); M];
    for (tile, (x, [steps, totals])) in stripe.chunks_exact(width.tile()).zip(blocks::<M>(panel)) {
        let mut dots = [_mm512_setzero_si512(); M];
        // all rows before the next columns, so that no sum waits for the one before it
        let mut add = |w: __m512i, x: &[i32; M]| {
            for (dot, &x) in dots.iter_mut().zip(x) {
                *dot = _mm512_dpbusd_epi32(*dot, w, _mm512_set1_epi32(x));
            }
        };
        let groups = tile[width.groups_at()..].as_chunks::<GROUP>().0;
        if width == Width::Eight {
            for (group, x) in groups.iter().zip(x) {
                add(load512(group), x);
            }
        } else {
            let high = tile[Width::HIGH..].as_chunks::<8>().0;
            for (g, (group, x)) in groups.iter().zip(x.as_chunks::<2>().0).enumerate() {
                let w = load512(group);
                let mut first = _mm512_and_si512(w, low);
                let mut second = _mm512_and_si512(_mm512_srli_epi16::<4>(w), low);
                if width == Width::Five {
                    let bits = |i: usize| u64::from_le_bytes(high[2 * g + i]);
                    first = _mm512_mask_add_epi8(first, bits(0), first, fifth);
                    second = _mm512_mask_add_epi8(second, bits(1), second, fifth);
                }
                add(first, &x[0]);
                add(second, &x[1]);
            }
        }
        let halves = tile.as_chunks::<{ 2 * LANES }>().0;
        let scale = _mm512_cvtph_ps(load256(&halves[0]));
        let offset = match width {
            Width::Eight => _mm512_mul_ps(scale, _mm512_set1_ps(-128.0)),
            _ => _mm512_cvtph_ps(load256(&halves[1])),
        };
        for i in 0..M {
            let factor = _mm512_mul_ps(scale, _mm512_set1_ps(steps[i]));
            sums[i] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[i]), factor, sums[i]);
            sums[i] = _mm512_fmadd_ps(offset, _mm512_set1_ps(totals[i]), sums[i]);
        }
    }
    let mut out = [[0.0; LANES]; M];
    for (out, sum) in out.iter_mut().zip(sums) {
        // SAFETY: the array has the sixteen numbers that are written
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), sum) }
    }
    out
}

/// `M` rows of activations with a stripe, eight of its rows at a time.
#[target_feature(enable = "avx2,fma,f16c")]
fn avx2<const M: usize>(width: Width, stripe: &[u8], panel: Panel<'_>) -> [[f32; LANES]; M] {
    let low = _mm256_set1_epi8(15);
    let ones = _mm256_set1_epi16(1);
    let mut out = [[0.0; LANES]; M];
    for half in 0..2 {
        let mut sums = [_mm256_setzero_ps(); M];
        let tiles = stripe.chunks_exact(width.tile());
        for (tile, (x, [steps, totals])) in tiles.zip(blocks::<M>(panel)) {
            let mut dots = [_mm256_setzero_si256(); M];
            let groups = tile[width.groups_at()..].as_chunks::<{ GROUP / 2 }>().0;
            if width == Width::Eight {
                // unsigned times signed, summed in pairs in 16 bits: only with the sign moved to
                // the activations can no pair overflow
                let sign = _mm256_set1_epi8(-128);
                for g in 0..8 {
                    let w = _mm256_xor_si256(load256(&groups[2 * g + half]), sign);
                    let size = _mm256_abs_epi8(w);
                    for i in 0..M {
                        let x = _mm256_sign_epi8(_mm256_set1_epi32(x[g][i]), w);
                        let pairs = _mm256_madd_epi16(_mm256_maddubs_epi16(size, x), ones);
                        dots[i] = _mm256_add_epi32(dots[i], pairs);
                    }
                }
            } else {
                let high = tile[Width::HIGH..].as_chunks::<4>().0;
                for g in 0..4 {
                    let w = load256(&groups[2 * g + half]);
                    let mut first = _mm256_and_si256(w, low);
                    let mut second = _mm256_and_si256(_mm256_srli_epi16::<4>(w), low);
                    if width == Width::Five {
                        let bits = |i: usize| u32::from_le_bytes(high[4 * g + 2 * i + half]);
                        first = _mm256_or_si256(first, fifth_bits(bits(0)));
                        second = _mm256_or_si256(second, fifth_bits(bits(1)));
                    }
                    for i in 0..M {
                        let a = _mm256_maddubs_epi16(first, _mm256_set1_epi32(x[2 * g][i]));
                        let b = _mm256_maddubs_epi16(second, _mm256_set1_epi32(x[2 * g + 1][i]));
                        let pairs = _mm256_madd_epi16(_mm256_add_epi16(a, b), ones);
                        dots[i] = _mm256_add_epi32(dots[i], pairs);
                    }
                }
            }
            let halves = tile.as_chunks::<LANES>().0;
            let scale = _mm256_cvtph_ps(load128(&halves[half]));
            for i in 0..M {
                let factor = _mm256_mul_ps(scale, _mm256_set1_ps(steps[i]));
                sums[i] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[i]), factor, sums[i]);
                if width != Width::Eight {
                    let offset = _mm256_cvtph_ps(load128(&halves[2 + half]));
                    sums[i] = _mm256_fmadd_ps(offset, _mm256_set1_ps(totals[i]), sums[i]);
                }
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            let part = &mut out.as_chunks_mut::<8>().0[half];
            // SAFETY: the array has the eight numbers that are written
            unsafe { _mm256_storeu_ps(part.as_mut_ptr(), sum) }
        }
    }
    out
}

/// 16 in each byte whose bit is set.
#[target_feature(enable = "avx2")]
fn fifth_bits(bits: u32) -> __m256i {
    // each byte gets the byte that holds its bit, then keeps that bit alone
    let spread =
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), spread);
    let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
    _mm256_and_si256(set, _mm256_set1_epi8(16))
}

#[target_feature(enable = "avx512f")]
fn load512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx")]
fn load256(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "sse2")]
fn load128(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
