//! What https needs: TLS without a C compiler. Must not know: requests.

use std::sync::Arc;
use ureq::tls::{PemItem, RootCerts, TlsConfig, TlsConfigBuilder, TlsProvider, parse_pem};

/// TLS with the certificates of `$SSL_CERT_FILE`, if that is set, else with Mozilla's.
///
/// # Errors
/// One line: certificates that cannot be read, or a processor without what it takes.
pub fn tls() -> Result<TlsConfig, String> {
    let roots = match std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) {
        None => RootCerts::WebPki,
        Some(path) => {
            let wrong = |why: &dyn std::fmt::Display| format!("$SSL_CERT_FILE: {why}");
            let pem = std::fs::read(path).map_err(|error| wrong(&error))?;
            let certificates: Vec<_> = parse_pem(&pem)
                .filter_map(|item| match item {
                    Ok(PemItem::Certificate(certificate)) => Some(certificate),
                    _ => None,
                })
                .collect();
            if certificates.is_empty() {
                return Err(wrong(&"it holds no certificate"));
            }
            RootCerts::Specific(Arc::new(certificates))
        }
    };
    let config = TlsConfig::builder().provider(TlsProvider::Rustls).root_certs(roots);
    let config = with_crypto(config).map(TlsConfigBuilder::build);
    config.ok_or_else(|| {
        "https is not possible on this processor; use http through a tunnel or a mirror".to_owned()
    })
}

/// The cryptography, where the processor has what it is written for.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn with_crypto(config: TlsConfigBuilder) -> Option<TlsConfigBuilder> {
    #[cfg(target_arch = "x86_64")]
    let able = is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("pclmulqdq")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("adx")
        && is_x86_feature_detected!("avx2");
    #[cfg(target_arch = "aarch64")]
    let able = std::arch::is_aarch64_feature_detected!("aes")
        && std::arch::is_aarch64_feature_detected!("pmull")
        && std::arch::is_aarch64_feature_detected!("sha2");
    let provider = able.then(rustls_graviola::default_provider)?;
    Some(config.unversioned_rustls_crypto_provider(Arc::new(provider)))
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn with_crypto(_: TlsConfigBuilder) -> Option<TlsConfigBuilder> {
    None
}
