//! Starts doubles of Stripe, of a BTCPay Server and of an EPay gateway for journeys: `gateway_doubles STRIPE_PORT BTCPAY_PORT EPAY_PORT SHOP_URL`. Prints the
//! settings of a shop that uses them.
#[path = "../tests/doubles/btcpay.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod btcpay;
#[path = "../tests/doubles/epay.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod epay;
#[path = "../tests/doubles/stripe.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod stripe;

use serde_json::json;
use std::collections::BTreeMap;

fn main() {
    postern_server::tls::prepare();
    let arguments: Vec<String> = std::env::args().collect();
    let port = |index: usize| arguments[index].parse().expect("a port");
    let shop = &arguments[4];
    let stripe = stripe::Stripe::open(port(1), Some(format!("{shop}/gateway/callback/stripe")));
    // What the shop refunds arrives when somebody says so.
    stripe.refunds_are("pending");
    let btcpay = btcpay::Btcpay::open(port(2), Some(format!("{shop}/gateway/callback/btcpay")));
    let epay = epay::Epay::open(port(3), epay::Version::Md5);
    let mut settings: BTreeMap<&str, String> = epay.settings().into_iter().chain(stripe.settings()).collect();
    settings.insert("POSTERN_EPAY_METHODS", "alipay,wxpay,qqpay".to_owned());
    settings.insert("POSTERN_BTCPAY_URL", btcpay.url.clone());
    settings.insert("POSTERN_BTCPAY_STORE", btcpay::STORE.to_owned());
    settings.insert("POSTERN_BTCPAY_API_KEY", btcpay::API_KEY.to_owned());
    settings.insert("POSTERN_BTCPAY_WEBHOOK_SECRET", btcpay::WEBHOOK_SECRET.to_owned());
    println!("{}", json!({"StripeUrl": stripe.url, "Settings": settings}));
    loop {
        std::thread::park();
    }
}
