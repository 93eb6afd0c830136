//! Starts doubles of a BTCPay Server and of an EPay gateway for journeys: `gateway_doubles BTCPAY_PORT EPAY_PORT SHOP_URL`. Prints the settings of a shop that
//! uses them.
#[path = "../tests/doubles/btcpay.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod btcpay;
#[path = "../tests/doubles/epay.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod epay;

use serde_json::{Value, json};
use std::collections::BTreeMap;

fn main() {
    postern_server::tls::prepare();
    let arguments: Vec<String> = std::env::args().collect();
    let port = |index: usize| arguments[index].parse().expect("a port");
    let shop = &arguments[3];
    let btcpay = btcpay::Btcpay::open(port(1), Some(format!("{shop}/gateway/callback/btcpay")));
    let epay = epay::Epay::open(port(2), epay::Version::Md5);
    let mut settings: BTreeMap<&str, Value> =
        epay.settings().into_iter().map(|(name, value)| (name, value.into())).collect();
    settings.insert("POSTERN_BTCPAY_URL", btcpay.url.clone().into());
    settings.insert("POSTERN_BTCPAY_STORE", btcpay::STORE.into());
    settings.insert("POSTERN_BTCPAY_API_KEY", btcpay::API_KEY.into());
    settings.insert("POSTERN_BTCPAY_WEBHOOK_SECRET", btcpay::WEBHOOK_SECRET.into());
    println!("{}", json!({"BtcpayUrl": btcpay.url, "EpayUrl": epay.url, "Settings": settings}));
    loop {
        std::thread::park();
    }
}
