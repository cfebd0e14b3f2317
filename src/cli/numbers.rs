//! Numbers on the command line, with bounds: an absurd one is refused in one line.
//!
//! Must not know: what they count.

/// Most threads or processes that a command starts.
pub const MOST_WORKERS: u64 = 1024;

/// A whole number between two bounds, both allowed.
///
/// # Errors
/// What is allowed.
pub fn whole<T: TryFrom<u64>, const LEAST: u64, const MOST: u64>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    let number = number.and_then(|number: u64| T::try_from(number).ok());
    number.ok_or_else(|| format!("give a whole number from {LEAST} to {MOST}"))
}

/// A number of seconds.
///
/// # Errors
/// What is allowed.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.ok_or_else(|| "give a number of seconds from 0.001 to 1000000".into())
}

/// A part of a whole.
///
/// # Errors
/// What is allowed.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "give a number from 0 to 1".into())
}

/// Threads or processes where nobody says how many: one for each core.
pub fn cores() -> usize {
    let most = usize::try_from(MOST_WORKERS).unwrap_or(usize::MAX);
    std::thread::available_parallelism().map_or(1, usize::from).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_within_the_bounds_is_taken() {
        let threads = |text: &str| whole::<usize, 1, MOST_WORKERS>(text);
        for (text, number) in [("1", 1), ("1024", 1024), ("007", 7)] {
            assert_eq!(threads(text), Ok(number));
        }
        for text in ["0", "1025", "18446744073709551616", "-1", "1.5", "", " 1", "x", "1e3"] {
            assert_eq!(threads(text), Err("give a whole number from 1 to 1024".into()), "{text}");
        }
        for text in ["0", "-1", "inf", "NaN", "1e7", "x", ""] {
            assert!(seconds(text).is_err(), "{text}");
            assert!(text == "0" || share(text).is_err(), "{text}");
        }
        assert_eq!((seconds("0.5"), share("1")), (Ok(0.5), Ok(1.0)));
    }
}
