//! Where a model runs.

use super::ModelError;
use candle_core::Device;
use std::fmt;
use std::str::FromStr;

/// What a person asked for by `--device`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU if the build knows one that works here and the model is large enough to gain,
    /// else the CPU.
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

/// A device that works.
pub(super) struct Opened {
    pub device: Device,
    /// The name to show: `cpu`, `cuda:0`, `metal`.
    pub label: String,
    /// Why *auto* took no GPU, in one line, where the build could have used one.
    pub no_gpu: Option<String>,
}

impl Opened {
    pub(super) fn cpu() -> Self {
        Opened { device: Device::Cpu, label: DeviceChoice::Cpu.to_string(), no_gpu: None }
    }
}

/// Whether this build can use any GPU.
pub(super) fn gpu_built_in() -> bool {
    cfg!(any(feature = "cuda", feature = "metal"))
}

/// The GPU that *auto* gives to larger models, e.g. `cuda:0`.
///
/// # Errors
/// Why there is none, in one line.
pub fn gpu() -> Result<String, String> {
    first_gpu().map(|opened| opened.label)
}

/// The first GPU that works, or why none does.
fn first_gpu() -> Result<Opened, String> {
    if !gpu_built_in() {
        return Err("this build has no GPU support".to_owned());
    }
    let known = [
        (DeviceChoice::Cuda(0), cfg!(feature = "cuda")),
        (DeviceChoice::Metal, cfg!(feature = "metal")),
    ];
    let mut refused = Vec::new();
    for (gpu, _) in known.into_iter().filter(|(_, built_in)| *built_in) {
        match gpu.gpu() {
            Ok(device) => return Ok(Opened { device, label: gpu.to_string(), no_gpu: None }),
            Err(why) => refused.push(format!("{gpu}: {why}")),
        }
    }
    Err(refused.join("; "))
}

impl DeviceChoice {
    /// Opens the device. *Auto* takes the first GPU that works, then the CPU; an explicit
    /// choice that does not work is an error.
    pub(super) fn open(self) -> Result<Opened, ModelError> {
        match self {
            DeviceChoice::Cpu => Ok(Opened::cpu()),
            DeviceChoice::Auto => Ok(first_gpu().unwrap_or_else(|why| {
                let note = format!("no GPU is used: {why}; the model runs on the CPU");
                Opened { no_gpu: gpu_built_in().then_some(note), ..Opened::cpu() }
            })),
            DeviceChoice::Cuda(_) | DeviceChoice::Metal => match self.gpu() {
                Ok(device) => Ok(Opened { device, label: self.to_string(), no_gpu: None }),
                Err(why) => Err(ModelError::Device(format!(
                    "--device {self}: {why}; --device cpu works everywhere"
                ))),
            },
        }
    }

    /// Opens a GPU; else why it cannot be used.
    fn gpu(self) -> Result<Device, String> {
        let absent = |feature: &str| {
            Err(format!(
                "this build has no {feature} support, which `cargo build --release --features \
                 {feature}` gives"
            ))
        };
        match self {
            DeviceChoice::Cuda(_) if !cfg!(feature = "cuda") => absent("cuda"),
            DeviceChoice::Metal if !cfg!(feature = "metal") => absent("metal"),
            DeviceChoice::Cuda(n) => {
                let device = Device::new_cuda(n).map_err(|error| reason(&error))?;
                suits(&device)?;
                Ok(device)
            }
            DeviceChoice::Metal => Device::new_metal(0).map_err(|error| reason(&error)),
            DeviceChoice::Auto | DeviceChoice::Cpu => Ok(Device::Cpu),
        }
    }
}

/// Whether the build's quantized kernels run on the card. candle compiles them to one
/// architecture's machine code and does not look whether their launch failed, so that on
/// another card it would compute nonsense.
#[cfg(feature = "cuda")]
fn suits(device: &Device) -> Result<(), String> {
    // what cudaforge compiled for; unset, it asked the card of the machine that built
    let Some(built) = option_env!("CUDA_COMPUTE_CAP") else { return Ok(()) };
    let card = device.as_cuda_device().map_err(|error| reason(&error))?;
    let card = card.cuda_stream().context().compute_capability();
    let (major, minor) = card.map_err(|error| told(&error.to_string()))?;
    if runs_on(built, major, minor) {
        return Ok(());
    }
    Err(format!(
        "this build is for cards of compute capability {built}, and this one has \
         {major}{minor}; build it again with CUDA_COMPUTE_CAP={major}{minor}"
    ))
}

#[cfg(not(feature = "cuda"))]
fn suits(_: &Device) -> Result<(), String> {
    Ok(())
}

/// Whether machine code for `built` (`80`, `90a`) runs on a card of this compute capability:
/// on later ones of its generation, but for code with features of one architecture, which
/// cudaforge makes from 90 on.
#[cfg(any(feature = "cuda", test))]
fn runs_on(built: &str, major: i32, minor: i32) -> bool {
    let digits = built.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let Ok(number) = digits.parse::<i32>() else { return false };
    let (for_major, for_minor) = (number / 10, number % 10);
    for_major == major && (for_minor == minor || number < 90 && for_minor < minor)
}

/// Why a GPU does not open, in words.
fn reason(error: &candle_core::Error) -> String {
    told(&first_line(error))
}

/// A driver's error as cudarc prints it, `DriverError(NAME, "text")`, for people: `text (NAME)`.
fn told(line: &str) -> String {
    let inside = line.strip_prefix("DriverError(").and_then(|rest| rest.strip_suffix(")"));
    match inside.and_then(|inside| inside.split_once(", ")) {
        Some((name, text)) => format!("{} ({name})", text.trim_matches('"')),
        None => line.to_owned(),
    }
}

/// The first line of candle's error, which may carry a backtrace.
pub(super) fn first_line(error: &candle_core::Error) -> String {
    error.to_string().lines().next().unwrap_or("unknown error").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_code_runs_on_its_own_generation() {
        for (built, card, runs) in [
            ("80", (8, 0), true),
            ("80", (8, 9), true),
            ("89", (8, 6), false),
            ("75", (8, 0), false),
            ("80", (9, 0), false),
            ("90", (9, 0), true),
            ("90a", (9, 0), true),
            ("100", (10, 3), false),
            ("120", (12, 0), true),
            ("ampere", (8, 0), false),
        ] {
            assert_eq!(runs_on(built, card.0, card.1), runs, "{built} on {card:?}");
        }
    }

    #[test]
    fn a_drivers_error_is_told_in_its_words() {
        let printed = r#"DriverError(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected")"#;
        assert_eq!(told(printed), "no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)");
        assert_eq!(told("no metal device"), "no metal device");
    }

    /// What *auto* does on a machine of which nothing is known: it never fails, and says why
    /// where the build could have used a GPU.
    #[test]
    fn auto_always_opens_and_says_why_it_took_no_gpu() {
        let opened = DeviceChoice::Auto.open().unwrap();
        match gpu() {
            Ok(label) => assert_eq!((opened.label, opened.no_gpu), (label, None)),
            Err(why) => {
                assert!(opened.device.is_cpu() && opened.label == "cpu");
                assert!(!why.is_empty() && !why.contains('\n'));
                assert_eq!(opened.no_gpu.is_some(), gpu_built_in());
                assert!(opened.no_gpu.is_none_or(|note| note.contains(&why)));
            }
        }
    }
}
