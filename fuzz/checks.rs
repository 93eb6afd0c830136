//! Properties that hold for any input: run by the fuzz targets with generated inputs, and by core's tests with those in `corpus`.
use postern_core::endpoint::Endpoint;
use postern_core::endpoint::{
    ConvertInto, EndpointFormat, Template, UserName, convert_endpoints, dialects, format_endpoint, place_part,
    read_endpoint_as, read_endpoints,
};
use postern_core::money::{Currency, Money};
use postern_core::network::{Network, whitelist_entry};
use postern_core::params::{ScrubError, scrub as scrub_parameters};
use postern_core::time::{Localizer, localize_response as localize, time_zone};
use serde_json::Value;

const ZONES: [&str; 6] =
    ["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Australia/Lord_Howe"];

/// The first byte selects the time zone; the rest is the text.
fn zone_and_text(data: &[u8]) -> Option<(&'static str, &str)> {
    let (first, text) = data.split_first()?;
    Some((ZONES[usize::from(*first) % ZONES.len()], std::str::from_utf8(text).ok()?))
}

/// Localising a response converts times to times and changes nothing else.
pub fn localize_response(data: &[u8]) {
    let Some((zone, text)) = zone_and_text(data) else { return };
    let (zone, utc) = (time_zone(zone).expect("a zone"), time_zone("UTC").expect("a zone"));
    let shown = localize(text, zone);
    assert_eq!(Localizer::new(zone).localize_bytes(text.as_bytes().to_vec()), shown.as_bytes());
    assert_eq!(localize(localize(text, utc), utc), localize(text, utc));
    if let Ok(before) = serde_json::from_str::<Value>(text) {
        let after: Value = serde_json::from_str(&shown).expect("JSON stays JSON");
        assert_only_times_changed(&before, &after);
    }
}

fn assert_only_times_changed(before: &Value, after: &Value) {
    match (before, after) {
        (Value::Array(before), Value::Array(after)) => {
            assert_eq!(before.len(), after.len());
            before.iter().zip(after).for_each(|(before, after)| assert_only_times_changed(before, after));
        }
        (Value::Object(before), Value::Object(after)) => {
            assert!(before.keys().eq(after.keys()));
            before.values().zip(after.values()).for_each(|(before, after)| assert_only_times_changed(before, after));
        }
        (Value::String(before), Value::String(after)) if before != after => {
            assert!(before.len() >= 16 && before.as_bytes()[4] == b'-', "{before}");
            assert!(after.len() == 19 && after.as_bytes()[10] == b' ' && after.as_bytes()[16] == b':', "{after}");
        }
        _ => assert_eq!(before, after),
    }
}

/// Errors of serde_json for numbers that do not fit a float, and for lone surrogates, which scrubbing replaces.
const BEYOND: [&str; 3] =
    ["number out of range", "lone leading surrogate in hex escape", "unexpected end of hex escape"];

/// The result of serde_json; `None` if it cannot represent the text, so that the parsers may disagree.
fn reference(text: &str) -> Option<Option<Value>> {
    match serde_json::from_str(text) {
        Ok(value) => Some(Some(value)),
        Err(error) => {
            let reason = error.to_string();
            let is_beyond = BEYOND.iter().any(|beyond| reason.starts_with(beyond));
            (!is_beyond).then_some(None)
        }
    }
}

/// Scrubbing any JSON gives JSON without empty values.
pub fn scrub(data: &[u8]) {
    let Some((zone, text)) = zone_and_text(data) else { return };
    let scrubbed = scrub_parameters(text, time_zone(zone).expect("a zone"));
    let Some(reference) = reference(text) else { return };
    assert_eq!(scrubbed == Err(ScrubError::NotJson), reference.is_none());
    match scrubbed {
        Ok(scrubbed) => assert_nothing_empty(&serde_json::from_str(&scrubbed).expect("JSON")),
        Err(ScrubError::NotATime { at }) => assert!(at.starts_with("StartAndEndTime")),
        Err(ScrubError::Reversed) => assert!(text.contains("StartAndEndTime") || text.contains('\\')),
        Err(ScrubError::NotJson) => {}
    }
}

fn assert_nothing_empty(value: &Value) {
    let inner: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => {
            assert!(!fields.get("StartAndEndTime").is_some_and(Value::is_array));
            fields.values().collect()
        }
        _ => Vec::new(),
    };
    for value in inner {
        assert!(!value.is_null() && value != "" && value != "NULL");
        assert_nothing_empty(value);
    }
}

/// Any endpoint parsed from pasted text can be formatted, and parses back to the same endpoint.
pub fn endpoints(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in read_endpoints(text) {
        assert!(line.endpoint.is_some() != line.broken.is_some());
        let Some(endpoint) = line.endpoint else { continue };
        for format in EndpointFormat::ALL.iter().copied() {
            let Ok(written) = format_endpoint(&endpoint, format, None) else {
                // Every valid endpoint fits these formats. HTTP and SOCKS5 do not support a password without a user name.
                let fits_all = matches!(format, EndpointFormat::Url | EndpointFormat::Csv | EndpointFormat::Json);
                assert!(!fits_all, "{endpoint:?}");
                continue;
            };
            let mut read = read_endpoint_as(&written, format).expect("formatted text parses");
            if !matches!(
                format,
                EndpointFormat::Url | EndpointFormat::Csv | EndpointFormat::Json | EndpointFormat::Curl
            ) {
                read.scheme.clone_from(&endpoint.scheme);
            }
            assert_eq!(read, endpoint, "{written}");
        }
    }
    // With the dialect detected, and with one of the shops given, each in turn.
    let shops = dialects();
    for dialect in [None, Some(shops[data.len() % shops.len()].key.clone())] {
        let into = ConvertInto { dialect, ..ConvertInto::default() };
        for line in convert_endpoints(text, &into).expect("a known dialect").lines {
            assert!(line.endpoint.is_some() != line.broken.is_some());
            if let (Some(_), Some(endpoint)) = (line.dialect, line.endpoint) {
                UserName::parse(&endpoint.user_name).expect("a valid user name");
            }
        }
    }
    if let Ok(user) = UserName::parse(text) {
        assert_eq!(user.to_string(), text);
    }
    let place = place_part(text);
    assert_eq!(place_part(&place), place);
    if let Ok(template) = Template::parse(text) {
        let endpoint = Endpoint { scheme: "http".into(), host: "::1".into(), port: 80, ..Endpoint::default() };
        template.format(&endpoint).expect("any template can be filled in");
    }
}

/// Networks have one canonical form, and a whitelist entry can be entered again in it.
pub fn network(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(network) = Network::parse(text) {
        assert_eq!(Network::parse(&network.to_string()), Ok(network));
        assert!(network.contains(network.address()) && network.covers(network));
        if let Ok(entry) = whitelist_entry(text) {
            assert_eq!((entry, entry.special_range()), (network, None));
        }
    }
}

/// Amounts are parsed without loss, and arithmetic on them fails instead of wrapping.
pub fn money(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(amount) = Money::parse(text) else { return };
    assert_eq!(Money::parse(&amount.to_string()), Ok(amount));
    assert!(amount.display(Currency::Usd).contains('$'));
    if let Ok(sum) = amount.checked_add(amount) {
        assert_eq!(Ok(sum), amount.times(2));
    }
    assert_eq!(amount.share(10_000), Ok(amount));
    // The smallest amount has no positive counterpart, which splitting a negative amount needs.
    let Ok(negated) = amount.negated() else { return };
    assert_eq!(amount.checked_add(negated), Ok(Money::ZERO));
    for parts in 1..=7 {
        assert_eq!(amount.split(parts).and_then(Money::sum), Ok(amount));
    }
    let weights = [i64::from(data[0]), data.len() as i64, 1];
    assert_eq!(amount.allocate(&weights).and_then(Money::sum), Ok(amount));
}
