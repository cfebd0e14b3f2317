//! Where a model runs.

use super::ModelError;
use candle_core::Device;
use std::fmt;
use std::str::FromStr;

/// What a person asked for by `--device`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU if the build has one and the model is large enough to gain, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
    /// Apple's GPU.
    Metal,
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "auto" => Ok(DeviceChoice::Auto),
            None if text == "cpu" => Ok(DeviceChoice::Cpu),
            None if text == "cuda" => Ok(DeviceChoice::Cuda(0)),
            None if text == "metal" => Ok(DeviceChoice::Metal),
            Some(("cuda", n)) if n.parse::<u16>().is_ok() => {
                Ok(DeviceChoice::Cuda(n.parse().unwrap_or(0)))
            }
            _ => Err(format!("unknown device `{text}`; auto, cpu, cuda, cuda:N or metal")),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Cuda(n) => write!(f, "cuda:{n}"),
            DeviceChoice::Metal => f.write_str("metal"),
        }
    }
}

/// Whether this build can use any GPU.
pub(super) fn gpu_built_in() -> bool {
    cfg!(any(feature = "cuda", feature = "metal"))
}

impl DeviceChoice {
    /// Opens the device; also gives the name to show. *Auto* takes the first GPU that
    /// works, then the CPU; an explicit choice that does not work is an error.
    pub(super) fn open(self) -> Result<(Device, String), ModelError> {
        let fail = |why: String| ModelError::Device(format!("--device {self}: {why}"));
        let absent = |feature: &str| {
            fail(format!(
                "this build has no {feature} support; build it with `cargo build --release --features {feature}`"
            ))
        };
        let broken = |e: candle_core::Error| fail(format!("not usable: {}", first_line(&e)));
        match self {
            DeviceChoice::Cpu => Ok((Device::Cpu, self.to_string())),
            DeviceChoice::Cuda(_) if !cfg!(feature = "cuda") => Err(absent("cuda")),
            DeviceChoice::Metal if !cfg!(feature = "metal") => Err(absent("metal")),
            DeviceChoice::Cuda(n) => Ok((Device::new_cuda(n).map_err(broken)?, self.to_string())),
            DeviceChoice::Metal => Ok((Device::new_metal(0).map_err(broken)?, self.to_string())),
            DeviceChoice::Auto => [DeviceChoice::Cuda(0), DeviceChoice::Metal]
                .into_iter()
                .find_map(|gpu| gpu.open().ok())
                .map_or_else(|| DeviceChoice::Cpu.open(), Ok),
        }
    }
}

/// The first line of candle's error, which may carry a backtrace.
pub(super) fn first_line(error: &candle_core::Error) -> String {
    error.to_string().lines().next().unwrap_or("unknown error").to_owned()
}
