//! Generated inputs for every group of rules, and the rules' outputs, by which native and wasm builds are compared. The generator is seeded
//! and deterministic, so that a single digest tells whether two builds agree.
mod drawn;
mod forms;
pub mod generator;
mod input;
pub mod table;

use crate::drawn::quote_request;
use crate::generator::Generator;
use postern_core::code::{Outcome, react};
use postern_core::endpoint::Endpoint;
use postern_core::endpoint::{
    ConvertInto, EndpointFormat, ListRequest, Template, UserName, UserParts, build_list, convert_endpoints, dialects,
    format_endpoint, read_endpoints,
};
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderState, order_actions};
use postern_core::quote::{quote, quote_error_fields};
use postern_core::sign_in::{SignUpForm, validate_sign_up};
use postern_core::staff::StaffRole;
use postern_core::tier::Catalogue;
use postern_core::time::{localize_response, time_zone};
use postern_core::top_up::validate_top_up;
use postern_core::{network, params, permission, redirect, screens};
use std::fmt::Write;

const ZONES: &[&str] = &[
    "UTC",
    "Asia/Shanghai",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Auckland",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Nowhere/Atall",
];

/// The groups of rules that `answer` supports.
pub const GROUPS: &[&str] = &[
    "money",
    "quote",
    "order",
    "code",
    "scrub",
    "localize",
    "language",
    "permission",
    "redirect",
    "validate",
    "endpoint",
    "user_name",
    "read_endpoints",
    "convert_endpoints",
    "build_list",
    "network",
    "allocate",
    "terms",
    "renewal",
    "refund",
    "switch",
    "states",
    "referral",
    "proxy_user",
    "account_form",
    "node_forms",
    "proxy_user_form",
    "webhook",
    "wallet_forms",
    "operator_forms",
];

/// Generates one input for a group, and formats it with the rules' output.
pub fn answer(group: &str, generator: &mut Generator) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = match group {
        "money" => {
            let amount = Money::from_minor(generator.draw() as i64 >> generator.below(60));
            let text = if generator.below(4) == 0 { generator.text(6) } else { amount.to_string() };
            let share = generator.below(12_000) as u32;
            write!(out, "{text} {:?} {:?} {}", Money::parse(&text), amount.share(share), amount.display(Currency::Usd))
        }
        "quote" => {
            let request = quote_request(generator);
            let quote = quote(&request, &Catalogue::default()).map_err(quote_error_fields);
            write!(out, "{request:?} {quote:?}")
        }
        "order" => {
            let state = *generator.pick(OrderState::ALL);
            write!(out, "{state:?} {:?}", order_actions(state, generator.below(3) as i64 - 1))
        }
        "code" => {
            let outcome = Outcome {
                cancelled: generator.below(8) == 0,
                network_failed: generator.below(8) == 0,
                http_status: *generator.pick(&[0, 200, 401, 500]),
                code: *generator.pick(&[None, Some(1000), Some(3001), Some(3333), Some(4002), Some(7)]),
                message: (generator.below(2) == 0).then(|| generator.text(4)),
                suppress_toast: generator.below(4) == 0,
            };
            write!(out, "{outcome:?} {:?}", react(&outcome))
        }
        "scrub" => {
            let value = json(generator, 3);
            let zone = generator.pick(ZONES);
            write!(out, "{value} {zone} {:?}", time_zone(zone).map(|zone| params::scrub(&value, zone)))
        }
        "localize" => {
            let value = json(generator, 3);
            let zone = generator.pick(ZONES);
            write!(out, "{value} {zone} {:?}", time_zone(zone).map(|zone| localize_response(&value, zone)))
        }
        "language" => {
            let choices = [None, Some("zh"), Some("en"), Some(""), Some("fr")];
            let (asked, kept) = (*generator.pick(&choices), *generator.pick(&choices));
            let header = format!("{};q=0.{},zh", generator.text(3), generator.below(10));
            write!(
                out,
                "{asked:?} {kept:?} {:?} {header} {:?}",
                Language::decide(asked, kept),
                Language::from_header(&header)
            )
        }
        "permission" => {
            let level = permission::Level::from_number(generator.below(4) as u8);
            let entries = screens::sidebar();
            let path = generator.pick(&entries).children.first().map_or("/order", |child| child.path);
            write!(out, "{level:?} {path} {}", screens::can_open(path, level, StaffRole::Operator))
        }
        "redirect" => {
            let path = format!("/{}", generator.text(5));
            write!(out, "{path} {:?}", redirect::safe_redirect(&path))
        }
        "validate" => {
            let form = SignUpForm {
                email: format!("{}@{}.co", generator.text(3), generator.text(2)),
                password: generator.text(14),
                invite_code: generator.text(3),
            };
            let amount = format!("{}.{}", generator.below(20_000), generator.below(200));
            let (min, max) = (postern_core::top_up::MIN_TOP_UP, postern_core::top_up::MAX_TOP_UP);
            write!(out, "{form:?} {:?} {amount} {:?}", validate_sign_up(&form), validate_top_up(&amount, min, max))
        }
        "endpoint" => {
            let endpoint = Endpoint {
                scheme: generator.pick(&["http", "socks5"]).to_string(),
                host: generator.pick(&["198.18.0.1", "2001:db8::1", "proxy.example"]).to_string(),
                port: generator.draw() as u16,
                user_name: generator.text(6),
                password: generator.text(6),
            };
            let format = *generator.pick(EndpointFormat::ALL);
            write!(out, "{endpoint:?} {:?}", format_endpoint(&endpoint, format, None))
        }
        "user_name" => {
            let parts = user_parts(generator);
            let written = UserName::new(parts.clone()).map(|user| user.to_string());
            let text = match &written {
                Ok(text) if generator.below(3) > 0 => text.clone(),
                _ => format!("user-{}-country-{}", generator.text(2), generator.text(2)),
            };
            write!(out, "{parts:?} {written:?} {text} {:?}", UserName::parse(&text))
        }
        "read_endpoints" => {
            let lines: Vec<_> = (0..generator.below(4)).map(|_| endpoint_line(generator)).collect();
            let text = lines.join(*generator.pick(&["\n", "\r\n", "\n\n", ","]));
            write!(out, "{text} {:?}", read_endpoints(&text))
        }
        "convert_endpoints" => {
            let dialects = dialects();
            let example = generator.pick(&dialects).example.clone();
            // With its beginning truncated, followed by another line, or with another password.
            let text = match generator.below(3) {
                0 => example.chars().skip(generator.below(30) as usize).collect(),
                1 => format!("{example}\n{}", endpoint_line(generator)),
                _ => example.replace("secret", &generator.text(3)),
            };
            let into = ConvertInto {
                name: (generator.below(2) == 0).then(|| "bob".to_owned()),
                format: Some(*generator.pick(EndpointFormat::ALL)),
                ..ConvertInto::default()
            };
            write!(out, "{text} {:?}", convert_endpoints(&text, &into))
        }
        "build_list" => {
            let request = ListRequest {
                scheme: generator.pick(&["http", "socks5", "ftp"]).to_string(),
                host: generator.pick(&["198.18.0.1", "2001:db8::1", "proxy.example"]).to_string(),
                ports: vec![8_000, generator.draw() as u16],
                user: (generator.below(4) > 0).then(|| user_parts(generator)),
                password: generator.text(3),
                count: generator.below(5) as u32,
                sticky: generator.below(2) == 0,
                seed: generator.text(3),
                format: *generator.pick(EndpointFormat::ALL),
                template: (generator.below(3) == 0).then(|| format!("{}{{host}}:{{session}}", generator.text(3))),
                target: (generator.below(3) == 0).then(|| format!("https://shop.example/{}", generator.text(2))),
            };
            let template = request.template.as_deref().map(Template::parse);
            write!(out, "{request:?} {template:?} {:?}", build_list(&request))
        }
        "network" => {
            let bits = generator.draw();
            let address = match generator.below(3) {
                0 => std::net::Ipv6Addr::from_bits(u128::from(bits) << 64 >> generator.below(64)).to_string(),
                1 => generator.text(4),
                _ => std::net::Ipv4Addr::from_bits(bits as u32).to_string(),
            };
            let text = match generator.below(2) {
                0 => address,
                _ => format!("{address}/{}", generator.below(140)),
            };
            write!(out, "{text} {:?} {:?}", network::Network::parse(&text), network::whitelist_entry(&text))
        }
        "allocate" => write!(out, "{}", drawn::allocate(generator)),
        "terms" => write!(out, "{}", drawn::terms(generator)),
        "renewal" => write!(out, "{}", drawn::renewal(generator)),
        "refund" => write!(out, "{}", drawn::refund(generator)),
        "switch" => write!(out, "{}", drawn::switch(generator)),
        "states" => write!(out, "{}", drawn::states(generator)),
        "referral" => write!(out, "{}", drawn::referral(generator)),
        "proxy_user" => write!(out, "{}", drawn::proxy_user(generator)),
        "account_form" => write!(out, "{}", drawn::account_form(generator)),
        "node_forms" => write!(out, "{}", drawn::node_forms(generator)),
        "proxy_user_form" => write!(out, "{}", drawn::proxy_user_form(generator)),
        "webhook" => write!(out, "{}", drawn::webhook(generator)),
        "wallet_forms" => write!(out, "{}", drawn::wallet_forms(generator)),
        "operator_forms" => write!(out, "{}", drawn::operator_forms(generator)),
        other => write!(out, "no such group: {other}"),
    };
    out
}

/// The digest (FNV-1a) of the outputs for this many generated inputs of a group.
pub fn digest(group: &str, seed: u64, count: u32) -> u64 {
    let mut generator = Generator::new(seed);
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for _ in 0..count {
        for byte in answer(group, &mut generator).bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    digest
}

fn user_parts(generator: &mut Generator) -> UserParts {
    let word = |generator: &mut Generator| {
        let words = ["ann", "a1", "new_york", "x", "9", "", "Ann", "a-b"];
        // Usually only words of the grammar.
        let most = if generator.below(4) == 0 { words.len() } else { 5 };
        generator.pick(&words[..most]).to_string()
    };
    let maybe = |generator: &mut Generator| (generator.below(2) == 0).then(|| word(generator));
    let (state, city, session) = (maybe(generator), maybe(generator), maybe(generator));
    UserParts {
        name: word(generator),
        country: generator.pick(&[None, Some("us"), Some("gb"), Some("uk"), Some("US")]).map(str::to_owned),
        state,
        city,
        session,
        ttl_minutes: (generator.below(3) == 0).then(|| generator.below(1_442) as u32),
    }
}

fn endpoint_line(generator: &mut Generator) -> String {
    let endpoint = Endpoint {
        scheme: generator.pick(&["http", "socks5"]).to_string(),
        host: generator.pick(&["198.18.0.1", "2001:db8::1", "proxy.example"]).to_string(),
        port: generator.draw() as u16,
        user_name: generator.pick(&["ann", "user-ann-country-us", "a:b", "8080"]).to_string(),
        password: generator.pick(&["pw", "80", "p@w", "=1", "p\"w"]).to_string(),
    };
    let line = format_endpoint(&endpoint, *generator.pick(EndpointFormat::ALL), None);
    line.unwrap_or_else(|_| generator.text(8))
}

fn json(generator: &mut Generator, depth: u32) -> String {
    let quoted = |text: String| serde_json::Value::String(text).to_string();
    match generator.below(if depth == 0 { 4 } else { 7 }) {
        0 => quoted(generator.text(5)),
        1 => quoted(generator.time()),
        2 => generator.pick(&["null", "0", "-1.5e3", "true", "\"\"", "\"NULL\""]).to_string(),
        3 => format!("[{},{}]", quoted(generator.time()), quoted(generator.time())),
        4 => {
            let items: Vec<_> = (0..generator.below(4)).map(|_| json(generator, depth - 1)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => {
            let field = |generator: &mut Generator, index: u64| {
                let name = if index == 1 { "StartAndEndTime".to_owned() } else { format!("F{index}") };
                format!("\"{name}\": {}", json(generator, depth - 1))
            };
            let fields: Vec<_> = (0..generator.below(4)).map(|index| field(generator, index)).collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}
