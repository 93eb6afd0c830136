//! The seller's accounts at payment gateways. Their keys are secrets: none is printed.
use crate::config::environment::Environment;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use postern_core::money::Currency;
use ring::signature::RsaKeyPair;
use std::fmt;
use std::sync::Arc;

/// The seller's Stripe account.
#[derive(Clone)]
pub struct StripeAccount {
    pub secret_key: String,
    pub webhook_secret: String,
    /// Without a trailing slash.
    pub api_url: String,
}

impl fmt::Debug for StripeAccount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StripeAccount").field("api_url", &self.api_url).finish_non_exhaustive()
    }
}

/// A store of the seller's BTCPay Server.
#[derive(Clone)]
pub struct BtcpayStore {
    /// Without a trailing slash.
    pub url: String,
    pub store: String,
    pub api_key: String,
    pub webhook_secret: String,
}

impl fmt::Debug for BtcpayStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BtcpayStore").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The seller's account at a gateway that speaks EPay.
#[derive(Clone)]
pub struct EpayAccount {
    /// Without a trailing slash.
    pub url: String,
    /// The number of the account there.
    pub merchant: String,
    pub keys: EpayKeys,
    /// The currency of its amounts.
    pub currency: Currency,
    /// What customers can pay with, as the gateway calls it: `alipay`, `wxpay`, `qqpay`.
    pub methods: Vec<String>,
}

/// What requests and callbacks are signed with: by version 1 of the protocol, or by version 2.
#[derive(Clone)]
pub enum EpayKeys {
    Md5(String),
    Rsa {
        own: Arc<RsaKeyPair>,
        /// The gateway's public key: `RSAPublicKey`, DER.
        gateway: Vec<u8>,
    },
}

impl fmt::Debug for EpayAccount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EpayAccount").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Reads the settings of all gateways; problems are added to `wrong`.
pub struct Reader<'a, G: Fn(&str, &str) -> String> {
    pub get: G,
    pub environment: Environment,
    pub wrong: &'a mut Vec<String>,
}

impl<G: Fn(&str, &str) -> String> Reader<'_, G> {
    /// An address of a gateway: plain HTTP is for tests only.
    fn url(&mut self, name: &str, fallback: &str) -> String {
        let url = (self.get)(name, fallback).trim_end_matches('/').to_owned();
        let is_tried = self.environment == Environment::Development && url.starts_with("http://");
        if !url.is_empty() && !url.starts_with("https://") && !is_tried {
            self.wrong.push(format!("{name} is `{url}`, but must start with https://"));
        }
        url
    }

    /// The values of these settings if all of them are there; a problem if only some are.
    fn together<const COUNT: usize>(&mut self, names: [&str; COUNT]) -> Option<[String; COUNT]> {
        let values = names.map(|name| (self.get)(name, ""));
        let missing = values.iter().filter(|value| value.is_empty()).count();
        if missing > 0 && missing < COUNT {
            let (last, first) = names.split_last().unwrap_or((&"", &[]));
            self.wrong.push(format!("{} and {last} must be set together", first.join(", ")));
        }
        (missing == 0).then_some(values)
    }

    pub fn stripe(&mut self) -> Option<StripeAccount> {
        let api_url = self.url("POSTERN_STRIPE_API_URL", "https://api.stripe.com");
        let keys = self.together(["POSTERN_STRIPE_SECRET_KEY", "POSTERN_STRIPE_WEBHOOK_SECRET"]);
        keys.map(|[secret_key, webhook_secret]| StripeAccount { secret_key, webhook_secret, api_url })
    }

    pub fn btcpay(&mut self) -> Option<BtcpayStore> {
        let url = self.url("POSTERN_BTCPAY_URL", "");
        let names =
            ["POSTERN_BTCPAY_URL", "POSTERN_BTCPAY_STORE", "POSTERN_BTCPAY_API_KEY", "POSTERN_BTCPAY_WEBHOOK_SECRET"];
        let [_, store, api_key, webhook_secret] = self.together(names)?;
        if !store.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.wrong.push("POSTERN_BTCPAY_STORE must be the id of a store: letters and digits".to_owned());
        }
        Some(BtcpayStore { url, store, api_key, webhook_secret })
    }

    pub fn epay(&mut self) -> Option<EpayAccount> {
        let url = self.url("POSTERN_EPAY_URL", "");
        let accounts = self.together(["POSTERN_EPAY_URL", "POSTERN_EPAY_MERCHANT"]);
        let key = (self.get)("POSTERN_EPAY_KEY", "");
        let pair = self.together(["POSTERN_EPAY_PRIVATE_KEY", "POSTERN_EPAY_GATEWAY_KEY"]);
        let currency = (self.get)("POSTERN_EPAY_CURRENCY", "CNY");
        let methods = (self.get)("POSTERN_EPAY_METHODS", "alipay,wxpay");
        let methods: Vec<String> = methods.split(',').map(|name| name.trim().to_owned()).collect();
        let [_, merchant] = accounts?;
        let keys = match (key.is_empty(), pair) {
            (false, None) => Some(EpayKeys::Md5(key)),
            (true, Some([own, gateway])) => self.rsa_keys(&own, &gateway),
            _ => {
                self.wrong.push(
                    "POSTERN_EPAY_KEY must be set, or POSTERN_EPAY_PRIVATE_KEY and POSTERN_EPAY_GATEWAY_KEY, not both"
                        .to_owned(),
                );
                None
            }
        };
        let known = Currency::from_wire(&currency);
        if known.is_none() {
            self.wrong.push(format!("POSTERN_EPAY_CURRENCY is `{currency}`, but must be CNY, USD or EUR"));
        }
        let is_method = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !methods.iter().all(is_method) {
            self.wrong.push("POSTERN_EPAY_METHODS must be names such as alipay,wxpay".to_owned());
        }
        Some(EpayAccount { url, merchant, keys: keys?, currency: known?, methods })
    }

    fn rsa_keys(&mut self, own: &str, gateway: &str) -> Option<EpayKeys> {
        let pair = der(own).and_then(|der| RsaKeyPair::from_pkcs8(&der).or_else(|_| RsaKeyPair::from_der(&der)).ok());
        if pair.is_none() {
            self.wrong.push("POSTERN_EPAY_PRIVATE_KEY is not an RSA key of at least 2048 bits, in Base64".to_owned());
        }
        let gateway = der(gateway).and_then(|der| public_key(&der));
        if gateway.is_none() {
            self.wrong.push("POSTERN_EPAY_GATEWAY_KEY is not a public RSA key in Base64".to_owned());
        }
        Some(EpayKeys::Rsa { own: Arc::new(pair?), gateway: gateway? })
    }
}

/// The bytes of a key in Base64, with or without the lines of a PEM file around it.
fn der(text: &str) -> Option<Vec<u8>> {
    let text = text.replace("\\n", "\n");
    let lines = text.lines().filter(|line| !line.starts_with("-----"));
    let base64: String = lines.flat_map(str::chars).filter(|character| !character.is_whitespace()).collect();
    STANDARD.decode(base64).ok()
}

/// The beginning of an RSA key in `SubjectPublicKeyInfo`: its algorithm.
const RSA: [u8; 15] = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];

/// The `RSAPublicKey` inside of a `SubjectPublicKeyInfo`, which follows the algorithm as a string of bits.
fn public_key(der: &[u8]) -> Option<Vec<u8>> {
    let (_, rest) = value(der, 0x30)?;
    let bits = rest.strip_prefix(&RSA)?;
    let (_, key) = value(bits, 3)?;
    let key = key.strip_prefix(&[0])?;
    value(key, 0x30).map(|_| key.to_vec())
}

/// The length and the value of a DER element with this tag, which must be all there is.
fn value(der: &[u8], tag: u8) -> Option<(usize, &[u8])> {
    let (first, rest) = der.split_first()?;
    let (size, rest) = rest.split_first()?;
    let (length, value) = match size {
        0..=0x7f => (usize::from(*size), rest),
        0x81..=0x83 => {
            let (bytes, value) = rest.split_at_checked(usize::from(size - 0x80))?;
            (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), value)
        }
        _ => return None,
    };
    (*first == tag && value.len() == length).then_some((length, value))
}
