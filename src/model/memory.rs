//! Whether a model fits into memory, asked before anything is allocated: an allocation that
//! fails ends the process.

use super::ModelError;

/// Kept free for everything else, in bytes.
const MARGIN: u64 = 256 << 20;

/// What is never refused, in bytes: every machine that runs this has it.
const LITTLE: u64 = 64 << 20;

/// Refuses a model that needs more bytes than are available.
///
/// # Errors
/// [`ModelError::Memory`] in one line.
pub(super) fn fits(needed: u64) -> Result<(), ModelError> {
    match available() {
        Some(available) if needed > available.saturating_sub(MARGIN).max(LITTLE) => {
            Err(ModelError::Memory { needed: megabytes(needed), available: megabytes(available) })
        }
        _ => Ok(()),
    }
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// What the system can give without swapping, in bytes; `None` where it does not say.
pub(super) fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_in_one_line() {
        assert_eq!(fits(1000), Ok(()));
        if cfg!(target_os = "linux") {
            let error = fits(1 << 50).unwrap_err().to_string();
            assert!(error.contains("1125899907 MB") && !error.contains('\n'), "{error}");
        }
    }
}
