//! A real server: `llama-cpp-python[server]` with SmolLM2 on this machine.
//!
//! Slow, so ignored by default:
//!
//! ```sh
//! python3 -m venv llama && llama/bin/pip install 'llama-cpp-python[server]'
//! FORETRACE_LLAMA_PYTHON=llama/bin/python FORETRACE_SMOLLM2=$(tests/fetch_smollm2.sh) \
//!     cargo test --test remote -- --ignored
//! ```

use assert_cmd::Command as Binary;
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Real {
    child: Child,
    port: u16,
}

impl Drop for Real {
    fn drop(&mut self) {
        // It may have been ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Real {
    /// Starts it with further options and waits until it answers.
    fn start(options: &[&str]) -> Real {
        let variable = |name: &str| std::env::var_os(name).unwrap_or_else(|| panic!("set {name}"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        drop(listener);
        let child = Command::new(variable("FORETRACE_LLAMA_PYTHON"))
            .args(["-m", "llama_cpp.server", "--host", "127.0.0.1", "--verbose", "false"])
            .args(["--port", &port.to_string(), "--n_ctx", "4096"])
            // More would wait for each other on a machine that does other things.
            .args(["--n_threads", "1", "--n_threads_batch", "1"])
            .arg("--model")
            .arg(variable("FORETRACE_SMOLLM2"))
            .args(options)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python starts");
        let real = Real { child, port };
        let up = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        assert!(
            (0..600).any(|_| up() || {
                std::thread::sleep(Duration::from_millis(500));
                false
            }),
            "the server does not start"
        );
        real
    }

    fn predict(
        &self,
        folder: &Path,
        key: Option<&str>,
        commands: &[&str],
    ) -> (i32, String, String) {
        std::fs::write(folder.join("prog.py"), super::PROGRAM).expect("a file");
        let mut binary = Binary::cargo_bin("foretrace").expect("the binary is built");
        binary.env("FORETRACE_HOME", folder.join("home")).current_dir(folder);
        binary.env_remove("FORETRACE_API_KEY");
        if let Some(key) = key {
            binary.env("FORETRACE_API_KEY", key);
        }
        let url = format!("http://127.0.0.1:{}", self.port);
        binary.args(["predict", "prog.py", "--json", "--endpoint", &url]);
        binary.args(["--endpoint-timeout", "600"]);
        binary.args(commands.iter().flat_map(|command| ["-c", command]));
        let output = binary.output().expect("the binary runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }
}

#[test]
#[ignore = "needs llama-cpp-python[server] and a 98 MB model file; see the head of this file"]
fn steps_from_a_real_server_are_legal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut real = Real::start(&["--api_key", "sk-real"]);
    let (code, stdout, stderr) = real.predict(folder.path(), Some("sk-real"), &["s"; 2]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let model = lines[0]["model"].as_str().expect("a model");
    assert!(model.starts_with("SmolLM2-135M-Instruct"), "{model}");
    let steps: Vec<&Value> = lines.iter().skip(2).collect();
    assert!(steps.len() == 2 && steps.iter().all(|step| step["kind"] == "state"), "{stdout}");
    assert!(steps.iter().all(|step| step["confidence"].is_object()), "{stdout}");
    let (code, _, stderr) = real.predict(folder.path(), Some("sk-wrong"), &["s"]);
    assert!(code == 3 && stderr.contains("refuses the key"), "{stderr}");
    real.child.kill().expect("it was running");
    real.child.wait().expect("it ends");
    let (code, _, stderr) = real.predict(folder.path(), None, &["s"]);
    assert!(code == 3 && stderr.contains("is the server running?"), "{stderr}");
}
