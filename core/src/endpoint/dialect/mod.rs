//! Converts endpoints of other shops to this shop's grammar. Whatever has no equivalent here is reported rather than dropped silently.
mod take;
mod words;

use crate::endpoint::dialect::take::{cleaned, take};
use crate::endpoint::dialect::words::{Pair, split_words};
use crate::endpoint::error::{EndpointError, Part, broken, quoted};
use crate::endpoint::format::{EndpointFormat, Line, Lines, check_endpoint, check_target};
use crate::endpoint::parse::read_endpoints;
use crate::endpoint::providers::{Carrier, Dialect, GRAMMARS, Grammar, Meaning};
use crate::endpoint::types::Endpoint;
use crate::endpoint::user::{NAME_MAX_LENGTH, UserName, UserParts};
use crate::field_errors::Broken;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};

/// What lines are converted to. An absent field keeps the line's value.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ConvertInto {
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub scheme: Option<String>,
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub host: Option<String>,
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub port: Option<u16>,
    /// The name of the proxy user in this shop.
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub name: Option<String>,
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub password: Option<String>,
    /// The key of the dialect, for lines whose host and user name do not identify it.
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub dialect: Option<String>,
    /// The output format; `host_port_user_pass` if absent.
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub format: Option<EndpointFormat>,
    /// The URL that lines of curl request; `https://example.com` if absent.
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub target: Option<String>,
}

/// One converted line: either the endpoint, or the error.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ConvertedLine {
    /// Counted from 1.
    pub line: u32,
    /// The key of the line's dialect; absent for this shop's own grammar and for an unknown one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub dialect: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub endpoint: Option<Endpoint>,
    /// What was changed or could not be carried over.
    pub notes: Vec<Broken>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub broken: Option<Broken>,
}

/// The result of converting a pasted text.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Conversion {
    pub lines: Vec<ConvertedLine>,
    /// All converted endpoints, as text in the output format.
    pub text: String,
}

/// The shops whose lines can be converted.
pub fn dialects() -> Vec<Dialect> {
    let describe = |grammar: &Grammar| Dialect {
        key: grammar.key.to_owned(),
        name: grammar.name.to_owned(),
        example: grammar.example.to_owned(),
    };
    GRAMMARS.iter().map(describe).collect()
}

/// Parses pasted lines, each in any format, and converts them. An unknown `dialect` key is an error.
///
/// ```
/// use postern_core::endpoint::{ConvertInto, convert_endpoints};
/// let into = ConvertInto { host: Some("gate.example".into()), port: Some(8000), ..ConvertInto::default() };
/// let pasted = "customer-ann-cc-US-asn-7922-sessid-a1-sesstime-5:secret@pr.oxylabs.io:7777";
/// let converted = convert_endpoints(pasted, &into).expect("a conversion");
/// assert_eq!(converted.text, "gate.example:8000:user-ann-country-us-session-a1-ttl-5:secret");
/// assert_eq!(converted.lines[0].notes[0].rule.as_str(), "dialectNoEquivalent");
/// ```
pub fn convert_endpoints(text: &str, into: &ConvertInto) -> Result<Conversion, EndpointError> {
    let asked = match &into.dialect {
        None => None,
        Some(key) => Some(
            GRAMMARS
                .iter()
                .find(|grammar| grammar.key == key)
                .ok_or_else(|| EndpointError::UnknownDialect { value: key.clone() })?,
        ),
    };
    let format = into.format.unwrap_or(EndpointFormat::HostPortUserPass);
    let read = read_endpoints(text);
    into.target.as_deref().map_or(Ok(()), check_target)?;
    let mut written = Lines::new(format, into.target.as_deref(), text.len());
    let mut lines = Vec::with_capacity(read.len());
    for line in read {
        let mut converted =
            ConvertedLine { line: line.line, dialect: None, endpoint: None, notes: Vec::new(), broken: line.broken };
        if let Some(endpoint) = line.endpoint {
            let grammar = asked.or_else(|| grammar_of(&endpoint));
            converted.dialect = grammar.map(|grammar| grammar.key.to_owned());
            let result = convert(endpoint, grammar, into, &mut converted.notes)
                .and_then(|endpoint| check_endpoint(&endpoint, Some(format)).map(|()| endpoint));
            match result {
                Ok(endpoint) => {
                    written.push(Line::of(&endpoint));
                    converted.endpoint = Some(endpoint);
                }
                Err(error) => converted.broken = Some(error.into()),
            }
        }
        lines.push(converted);
    }
    Ok(Conversion { lines, text: written.finish() })
}

/// The shop of an endpoint, recognised by its host or else by the form of its user name.
fn grammar_of(endpoint: &Endpoint) -> Option<&'static Grammar> {
    let host = endpoint.host.to_ascii_lowercase();
    let is_at = |end: &&str| host.strip_suffix(*end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let by_host = GRAMMARS.iter().find(|grammar| grammar.hosts.iter().any(is_at));
    if by_host.is_some() || UserName::parse(&endpoint.user_name).is_ok() {
        return by_host;
    }
    let user = endpoint.user_name.to_ascii_lowercase();
    GRAMMARS.iter().find(|grammar| {
        grammar.begins.iter().any(|start| user.starts_with(start))
            || grammar.contains.iter().any(|part| user.contains(part))
    })
}

fn convert(
    mut endpoint: Endpoint,
    grammar: Option<&Grammar>,
    into: &ConvertInto,
    notes: &mut Vec<Broken>,
) -> Result<Endpoint, EndpointError> {
    let mut parts = match grammar {
        Some(grammar) => read_parts(&mut endpoint, grammar, notes),
        None => match UserName::parse(&endpoint.user_name) {
            Ok(user) => user.into_parts(),
            // The parameters of such a name, if any, cannot be interpreted.
            Err(_) if into.name.is_some() => {
                notes.push(broken(Rule::DialectNotRead, vec![("Value", quoted(&endpoint.user_name))]));
                UserParts::default()
            }
            Err(_) => {
                notes.push(broken(Rule::DialectUnknown, vec![]));
                return Ok(addressed(endpoint, into));
            }
        },
    };
    if let Some(name) = &into.name {
        parts.name.clone_from(name);
    }
    endpoint.user_name = UserName::try_from(parts)?.to_string();
    Ok(addressed(endpoint, into))
}

fn addressed(endpoint: Endpoint, into: &ConvertInto) -> Endpoint {
    Endpoint {
        scheme: into.scheme.clone().unwrap_or(endpoint.scheme),
        host: into.host.clone().unwrap_or(endpoint.host),
        port: into.port.unwrap_or(endpoint.port),
        user_name: endpoint.user_name,
        password: into.password.clone().unwrap_or(endpoint.password),
    }
}

/// Parses the parameters of another shop's endpoint, and removes them from its password and from its host's first label.
fn read_parts(endpoint: &mut Endpoint, grammar: &Grammar, notes: &mut Vec<Broken>) -> UserParts {
    let (mut name, mut words) = match grammar.carrier {
        Carrier::UserName => {
            let split = split_words(&endpoint.user_name, grammar);
            (split.base, split.pairs)
        }
        Carrier::Password => {
            let split = split_words(&endpoint.password, grammar);
            endpoint.password = split.base;
            (endpoint.user_name.clone(), split.pairs)
        }
    };
    if let Some((label, rest)) = grammar.label_host.and_then(|end| labelled(&endpoint.host, end)) {
        words.extend(split_words(&label, grammar).pairs);
        endpoint.host = rest;
    }
    let mut parts = UserParts::default();
    for Pair { key, meaning, value } in words {
        match meaning {
            Some(Meaning::Name) => name = value,
            Some(meaning) => take(&mut parts, meaning, &key, &value, notes),
            None => notes.push(broken(Rule::DialectUnknownKey, vec![("Key", quoted(&key)), ("Value", quoted(&value))])),
        }
    }
    if parts.ttl_minutes.is_some() && parts.session.is_none() {
        parts.ttl_minutes = None;
        notes.push(broken(Rule::DialectTtlWithoutSession, vec![]));
    }
    parts.name = cleaned(&name, Part::Name, NAME_MAX_LENGTH, notes);
    parts
}

/// The first label of a host, and the host without it.
fn labelled(host: &str, end: &str) -> Option<(String, String)> {
    let host = host.to_ascii_lowercase();
    let label = host.strip_suffix(end)?.strip_suffix('.')?;
    (!label.is_empty() && !label.contains('.')).then(|| (label.to_owned(), end.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn converted(line: &str) -> (String, Vec<String>) {
        let into = ConvertInto { host: Some("gate.example".into()), port: Some(8_000), ..ConvertInto::default() };
        let conversion = convert_endpoints(line, &into).expect("a conversion");
        let [line] = conversion.lines.as_slice() else { panic!("one line") };
        let note = |note: &Broken| {
            let params: Vec<_> = note.params.values().map(String::as_str).collect();
            format!("{} {}", note.rule, params.join(" ")).trim_end().to_owned()
        };
        let notes = line.notes.iter().chain(&line.broken).map(note).collect();
        (
            line.endpoint
                .as_ref()
                .map(|endpoint| format!("{}:{}", endpoint.user_name, endpoint.password))
                .unwrap_or_default(),
            notes,
        )
    }

    #[test]
    fn each_shops_example_is_recognised_by_its_host_and_converted() {
        let expected: &[(&str, &str, &[&str])] = &[
            ("oxylabs", "user-ann-country-us-city-new_york-session-abcde12345-ttl-5:secret", &[]),
            (
                "bright_data",
                "user-hl_ann-country-us-state-ny-city-new_york-session-rand39:secret",
                &["dialectNoEquivalent zone residential"],
            ),
            ("iproyal", "user-ann-country-br-session-sgn34f3e-ttl-10:secret", &[]),
            (
                "decodo",
                "user-ann-country-us-city-new_york-session-account_1-ttl-30:secret",
                &["dialectChanged account-1 session account_1"],
            ),
            ("webshare", "user-ann-country-us-city-los_angeles-session-1234:secret", &[]),
            ("soax", "user-1234-country-us-state-new_york-city-new_york-session-ab12-ttl-5:secret", &[]),
            ("netnut", "user-ann-country-us-state-alabama-city-birmingham-session-917244575:secret", &[]),
            ("thordata", "user-ann-country-de-session-a234234-ttl-15:secret", &[]),
            (
                "geonode",
                "user-geonode_ann-country-fr-city-paris-session-xyz-ttl-10:secret",
                &["dialectNoEquivalent type residential"],
            ),
            ("evomi", "user-ann-country-de-session-abc12345-ttl-30:secret", &["dialectNoEquivalent asn AS3320"]),
            ("massive", "user-ann-country-us-session-37:secret", &[]),
            ("922proxy", "user-ann-country-de-session-abcde12345-ttl-7:secret", &["dialectNoEquivalent zone custom"]),
            ("nimble", "user-ann-country-us-state-ca-session-a1b2:secret", &["dialectNoEquivalent pipeline main"]),
            ("proxy_seller", "user-ann-country-us-city-new_york-session-100-ttl-1:secret", &["dialectTtl 30s 1"]),
            ("illusory", "user-ann-country-gb-city-london-session-x1-ttl-60:secret", &[]),
            (
                "packetstream",
                "user-ann-country-us-session-abc12345:secret",
                &["dialectChanged AbC12345 session abc12345"],
            ),
        ];
        assert_eq!(expected.len(), GRAMMARS.len());
        for (grammar, (key, line, notes)) in GRAMMARS.iter().zip(expected) {
            assert_eq!(grammar.key, *key);
            let conversion = convert_endpoints(grammar.example, &ConvertInto::default()).expect("a conversion");
            assert_eq!(conversion.lines[0].dialect.as_deref(), Some(*key));
            let notes: Vec<_> = notes.iter().map(|note| (*note).to_owned()).collect();
            assert_eq!(converted(grammar.example), ((*line).to_owned(), notes), "{key}");
        }
        assert_eq!(GRAMMARS.iter().map(|grammar| grammar.key).collect::<HashSet<_>>().len(), GRAMMARS.len());
    }

    #[test]
    fn parameters_without_an_equivalent_are_reported() {
        for (line, user, notes) in [
            (
                "brd-customer-c1-zone-z-country-eu-zip-37501-asn-56386-os-windows:p@brd.superproxy.io:33335",
                "user-c1:p",
                vec![
                    "dialectNoEquivalent zone z",
                    "dialectNoEquivalent country eu",
                    "dialectNoEquivalent zip 37501",
                    "dialectNoEquivalent asn 56386",
                    "dialectNoEquivalent os windows",
                ],
            ),
            ("ann-us-fr-rotate:p@p.webshare.io:80", "user-ann-country-us:p", vec!["dialectNoEquivalent country fr"]),
            ("ann-us-new:p@p.webshare.io:80", "user-ann-country-us:p", vec!["dialectUnknownKey new"]),
            (
                "ann:p_country-dk,it_lifetime-7d_session-a1b2c3d4@geo.iproyal.com:12321",
                "user-ann-country-dk-session-a1b2c3d4-ttl-1440:p",
                vec!["dialectNoEquivalent country it", "dialectTtl 7d 1440"],
            ),
            (
                "ann:_p__w_country-jp_new-1@geo.iproyal.com:12321",
                "user-ann-country-jp:_p__w",
                vec!["dialectUnknownKey new 1"],
            ),
            (
                "package-1-sessionlength-90:p@proxy.soax.com:5000",
                "user-1:p",
                vec!["dialectTtl 90 2", "dialectTtlWithoutSession"],
            ),
            ("ann-res-uk:p@gw.netnut.net:5959", "user-ann-country-gb:p", vec![]),
            ("ann-res-any:p@gw.netnut.net:5959", "user-ann:p", vec![]),
            ("ann-res_sc-nl_amsterdam:p@gw.netnut.net:5959", "user-ann-country-nl-city-amsterdam:p", vec![]),
            (
                "ann-res_sc-us_new_york_buffalo:p@gw.netnut.net:5959",
                "user-ann-country-us-state-new_york-city-buffalo:p",
                vec![],
            ),
            (
                "customer-Ann.B-st-us_california-sesstime-x:p@pr.oxylabs.io:7777",
                "user-ann_b-country-us-state-california:p",
                vec!["dialectNoEquivalent sesstime x", "dialectChanged Ann.B name ann_b"],
            ),
            ("ann:p_hardsession-abc123@rp.evomi.com:1000", "user-ann-session-abc123:p", vec!["dialectStrict"]),
            ("customer-ann-cc:p@pr.oxylabs.io:7777", "user-ann:p", vec![]),
            (
                "customer-ann-cc-US-what-ever:p@pr.oxylabs.io:7777",
                "user-ann-country-us:p",
                vec!["dialectUnknownKey what ever"],
            ),
        ] {
            assert_eq!(converted(line), (user.to_owned(), notes.into_iter().map(str::to_owned).collect()), "{line}");
        }
    }

    #[test]
    fn a_shop_is_recognised_by_its_user_names_too() {
        for (line, dialect) in [
            ("customer-ann-cc-us:p@198.18.0.1:7777", Some("oxylabs")),
            ("user-ann-country-us-session-a-sessionduration-5:p@198.18.0.1:1", Some("decodo")),
            ("user-ann-country-us-session-a-ttl-5:p@198.18.0.1:1", None),
            ("ann:p@198.18.0.1:1", None),
            ("ann:p@notoxylabs.io:1", None),
        ] {
            let conversion = convert_endpoints(line, &ConvertInto::default()).expect("a conversion");
            assert_eq!(conversion.lines[0].dialect.as_deref(), dialect, "{line}");
        }
        assert_eq!(converted("ann:p@198.18.0.1:1"), ("ann:p".into(), vec!["dialectUnknown".into()]));
        let into = ConvertInto { name: Some("bob".into()), ..ConvertInto::default() };
        let named = convert_endpoints("ann-x:p@198.18.0.1:1", &into).expect("a conversion");
        assert_eq!(
            (named.text.as_str(), named.lines[0].notes[0].rule.as_str()),
            ("198.18.0.1:1:user-bob:p", "dialectNotRead")
        );
        assert_eq!(converted("user-ann-city-x:p@198.18.0.1:1"), ("user-ann-city-x:p".into(), vec![]));
    }

    #[test]
    fn parameters_in_a_host_name_need_a_user_name() {
        let line = "https://cc-us-city-new_york-sessid-test123.bc.pr.oxylabs.io:7777";
        assert_eq!(converted(line), (String::new(), vec!["endpointMissing name".into()]));
        let into = ConvertInto {
            name: Some("bob".into()),
            password: Some("pw".into()),
            format: Some(EndpointFormat::Url),
            ..ConvertInto::default()
        };
        let conversion = convert_endpoints(line, &into).expect("a conversion");
        assert_eq!(
            conversion.text,
            "https://user-bob-country-us-city-new_york-session-test123:pw@bc.pr.oxylabs.io:7777"
        );
    }

    #[test]
    fn a_pasted_list_of_many_shops_becomes_one_list_with_notes() {
        let pasted = format!("{}\n\nnonsense\n{}", GRAMMARS[0].example, GRAMMARS[2].example);
        let into = ConvertInto {
            scheme: Some("socks5".into()),
            host: Some("gate.example".into()),
            port: Some(1080),
            name: Some("bob".into()),
            password: Some("a:b".into()),
            format: Some(EndpointFormat::Url),
            ..ConvertInto::default()
        };
        let conversion = convert_endpoints(&pasted, &into).expect("a conversion");
        assert_eq!(
            conversion.text,
            "socks5://user-bob-country-us-city-new_york-session-abcde12345-ttl-5:a%3Ab@gate.example:1080\n\
             socks5://user-bob-country-br-session-sgn34f3e-ttl-10:a%3Ab@gate.example:1080"
        );
        let state: Vec<_> = conversion.lines.iter().map(|line| (line.line, line.broken.is_some())).collect();
        assert_eq!(state, [(1, false), (3, true), (4, false)]);
        let curl = ConvertInto {
            format: Some(EndpointFormat::Curl),
            target: Some("http://shop.example/ip".into()),
            ..into.clone()
        };
        assert!(convert_endpoints(&pasted, &curl).expect("a conversion").text.ends_with("\" http://shop.example/ip"));
        let plain = ConvertInto { format: None, ..into };
        let broken = convert_endpoints(&pasted, &plain).expect("a conversion").lines.remove(0).broken;
        assert_eq!(broken.map(|broken| broken.rule), Some(Rule::EndpointForbidden));
        let unknown = ConvertInto { dialect: Some("nobody".into()), ..ConvertInto::default() };
        assert_eq!(convert_endpoints("", &unknown), Err(EndpointError::UnknownDialect { value: "nobody".into() }));
    }
}
