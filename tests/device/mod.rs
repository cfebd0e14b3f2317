//! Where candle computes in the tests: the CPU, or what `FORETRACE_TEST_DEVICE` names.

use foretrace::model::{DeviceChoice, EngineChoice};

/// The device for an engine; our own engines know only the CPU.
pub fn device(engine: EngineChoice) -> DeviceChoice {
    match std::env::var("FORETRACE_TEST_DEVICE") {
        Ok(name) if engine == EngineChoice::Candle => {
            name.parse().unwrap_or_else(|why| panic!("FORETRACE_TEST_DEVICE: {why}"))
        }
        _ => DeviceChoice::Cpu,
    }
}
