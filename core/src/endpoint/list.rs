//! Lists of endpoints: of a gateway, with a session per line, or of nodes. The input is validated first, then written in one pass.
use crate::account::UNAMBIGUOUS_LOWER;
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{EndpointFormat, Line, Lines, at_index, check_credentials, check_line, is_host};
use crate::endpoint::parse::read_port;
use crate::endpoint::template::Template;
use crate::endpoint::types::SCHEMES;
use crate::endpoint::user::{SESSION_MAX_LENGTH, UserName, UserParts};
use crate::field_errors::FieldErrors;
use serde::{Deserialize, Serialize};

/// The maximum number of lines in a list.
pub const LIST_MAX: u32 = 100_000;

/// The length of a generated session; each character is one of 32.
const SESSION_LENGTH: usize = 8;

/// The maximum length of the prefix that all sessions of a list share.
pub const SESSION_PREFIX_MAX_LENGTH: usize = SESSION_MAX_LENGTH - SESSION_LENGTH;

const HALF_BITS: u32 = 20;
const HALF_MASK: u64 = (1 << HALF_BITS) - 1;

/// The parameters of a gateway's list.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListRequest {
    pub scheme: String,
    pub host: String,
    /// Assigned to the lines in turn.
    pub ports: Vec<u16>,
    /// Absent for a gateway that identifies its customers by IP address.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub user: Option<UserParts>,
    #[serde(default)]
    pub password: String,
    /// The number of lines, 1 to 100,000.
    pub count: u32,
    /// Whether each line gets its own session, and so an exit that stays the same; the user's session, if any, is their common prefix.
    /// Otherwise all lines have the user unchanged, and the exit rotates unless the user has a session.
    #[serde(default)]
    pub sticky: bool,
    /// Any text. The same seed generates the same sessions, which are all distinct.
    #[serde(default)]
    pub seed: String,
    pub format: EndpointFormat,
    /// Replaces the format.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub template: Option<String>,
}

/// One node of a list.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ListNode<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub port: u16,
    pub user_name: &'a str,
    pub password: &'a str,
    /// A two-letter code, for templates; may be empty.
    pub country: &'a str,
}

impl<'a> ListNode<'a> {
    /// Parses scheme, host, port, user name, password and country, separated by tabs.
    #[inline]
    fn from_row(row: &'a str) -> Result<ListNode<'a>, EndpointError> {
        let mut cells = row.split('\t');
        let mut cell = |part| cells.next().ok_or(EndpointError::Missing { part });
        let (scheme, host) = (cell(Part::Scheme)?, cell(Part::Host)?);
        let port = read_port(cell(Part::Port)?)?;
        let (user_name, password, country) = (cell(Part::User)?, cell(Part::Password)?, cell(Part::Country)?);
        match cells.next() {
            None => Ok(ListNode { scheme, host, port, user_name, password, country }),
            Some(_) => Err(EndpointError::Forbidden { part: Part::Password, character: "U+0009".into() }),
        }
    }
}

/// Writes lines in a format or by a template.
enum Writer {
    Format(Lines),
    Template { template: Template, out: String },
}

impl Writer {
    #[inline]
    fn new(format: EndpointFormat, template: Option<Template>, count: usize) -> Writer {
        match template {
            None => Writer::Format(Lines::new(format, count)),
            Some(template) => Writer::Template { template, out: String::with_capacity(count.saturating_mul(96)) },
        }
    }

    #[inline]
    fn push(&mut self, line: Line<'_>, country: &str, session: &str) {
        match self {
            Writer::Format(lines) => lines.push(line),
            Writer::Template { template, out } => {
                if !out.is_empty() {
                    out.push('\n');
                }
                template.push(out, line, country, session);
            }
        }
    }

    #[inline]
    fn finish(self) -> String {
        match self {
            Writer::Format(lines) => lines.finish(),
            Writer::Template { out, .. } => out,
        }
    }
}

fn read_template(template: Option<&str>, errors: &mut FieldErrors) -> Option<Template> {
    match template.map(Template::parse)? {
        Ok(template) => Some(template),
        Err(error) => {
            errors.push(Part::Template.field(), error.into());
            None
        }
    }
}

/// Builds a gateway's list.
///
/// ```
/// use postern_core::endpoint::{EndpointFormat, ListRequest, UserParts, build_list};
/// let request = ListRequest {
///     scheme: "http".into(),
///     host: "gate.example".into(),
///     ports: vec![8000, 8001],
///     user: Some(UserParts { name: "ann".into(), ttl_minutes: Some(30), ..UserParts::default() }),
///     password: "secret".into(),
///     count: 3,
///     sticky: true,
///     seed: "monday".into(),
///     format: EndpointFormat::HostPortUserPass,
///     template: None,
/// };
/// let list = build_list(&request).expect("a list");
/// let first = list.lines().next().expect("a line");
/// assert!(first.starts_with("gate.example:8000:user-ann-session-") && first.ends_with("-ttl-30:secret"));
/// assert_eq!(build_list(&request), Ok(list));
/// ```
#[inline]
pub fn build_list(request: &ListRequest) -> Result<String, FieldErrors> {
    let ListRequest { scheme, host, ports, user, password, count, sticky, seed, format, template } = request;
    let mut errors = FieldErrors::default();
    let mut check = |field: &str, is_fine: bool, error: EndpointError| {
        if !is_fine {
            errors.push(field, error.into());
        }
    };
    check("Scheme", SCHEMES.contains(&scheme.as_str()), EndpointError::Scheme { value: scheme.clone() });
    check("Host", is_host(host), EndpointError::Host { value: host.clone() });
    check("Ports", !ports.is_empty(), EndpointError::Missing { part: Part::Port });
    check("Ports", !ports.contains(&0), EndpointError::Port { value: "0".into() });
    check("Count", (1..=LIST_MAX).contains(count), EndpointError::Count { max: LIST_MAX });
    let template = read_template(template.as_deref(), &mut errors);
    let ids = SessionIds::new(seed);
    let mut parts = user.clone().unwrap_or_default();
    let prefix = parts.session.clone().unwrap_or_default();
    if *sticky && user.is_some() {
        // All sessions have the same length, so the first is validated for all.
        parts.session = Some(prefix.clone() + ids.spell(0).as_str());
        if prefix.len() > SESSION_PREFIX_MAX_LENGTH {
            let max = SESSION_PREFIX_MAX_LENGTH;
            errors.push("User.Session", EndpointError::Length { part: Part::Session, max }.into());
            parts.session = None;
            parts.ttl_minutes = None;
        }
    }
    let country = parts.country.clone().unwrap_or_default();
    let fixed_session = parts.session.clone().unwrap_or_default();
    let mut user_name = String::new();
    if user.is_some() {
        match UserName::new(parts.clone()) {
            Ok(user) => user_name = user.to_string(),
            Err(fields) => {
                for (field, rules) in fields.0 {
                    rules.into_iter().for_each(|rule| errors.push(&format!("User.{field}"), rule));
                }
            }
        }
    }
    let format_of_line = template.is_none().then_some(*format);
    // An invalid user name is already reported; without a user name there must be no password.
    if (user.is_none() || !user_name.is_empty())
        && let Err(error) = check_credentials(&user_name, password, format_of_line)
    {
        errors.push("Password", error.into());
    }
    errors.into_result(())?;

    let mut writer = Writer::new(*format, template, *count as usize);
    let mut ports = ports.iter().copied().cycle();
    let tail = parts.ttl_minutes.map(|minutes| format!("-{}-{minutes}", Part::Ttl.as_str())).unwrap_or_default();
    // The offset in the user name at which the generated part of the session begins.
    let made = (*sticky && user.is_some()).then(|| user_name.len() - tail.len() - SESSION_LENGTH);
    for index in 0..u64::from(*count) {
        if let Some(start) = made {
            user_name.truncate(start);
            user_name.push_str(ids.spell(index).as_str());
            user_name.push_str(&tail);
        }
        let session = match made {
            Some(start) => &user_name[start - prefix.len()..start + SESSION_LENGTH],
            None => &fixed_session,
        };
        let port = ports.next().unwrap_or_default();
        writer.push(Line { scheme, host, port, user_name: &user_name, password }, &country, session);
    }
    Ok(writer.finish())
}

/// Builds a list of nodes. Errors are at `Nodes.{index}.{field}`, and only those of the first invalid node.
#[inline]
pub fn build_node_list(
    nodes: &[ListNode<'_>],
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    write_nodes(nodes.iter().map(|node| Ok(*node)), nodes.len(), format, template)
}

/// Like `build_node_list`, with the nodes as text: a line per node, with scheme, host, port, user name, password and country (may be empty)
/// separated by tabs. Passing one string to wasm is many times faster than passing as many objects.
///
/// ```
/// use postern_core::endpoint::{EndpointFormat, build_node_list_of_rows};
/// let rows = "http\t198.18.0.7\t8080\tu1\tpw\tus\nsocks5\t198.18.0.8\t1080\tu2\tpw\t";
/// let list = build_node_list_of_rows(rows, EndpointFormat::Url, None).expect("a list");
/// assert_eq!(list, "http://u1:pw@198.18.0.7:8080\nsocks5://u2:pw@198.18.0.8:1080");
/// ```
#[inline]
pub fn build_node_list_of_rows(
    rows: &str,
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    let count = rows.lines().count();
    write_nodes(rows.lines().map(ListNode::from_row), count, format, template)
}

#[inline]
fn write_nodes<'a>(
    nodes: impl Iterator<Item = Result<ListNode<'a>, EndpointError>>,
    count: usize,
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    let mut errors = FieldErrors::default();
    let template = read_template(template, &mut errors);
    if count > LIST_MAX as usize {
        errors.push("Nodes", EndpointError::Count { max: LIST_MAX }.into());
    }
    errors.into_result(())?;
    let format_of_line = template.is_none().then_some(format);
    let mut writer = Writer::new(format, template, count);
    for (index, node) in nodes.enumerate() {
        let checked = node.and_then(|ListNode { scheme, host, port, user_name, password, country }| {
            let line = Line { scheme, host, port, user_name, password };
            check_line(line, format_of_line).map(|()| (line, country))
        });
        let (line, country) = checked.map_err(|error| at_index("Nodes", index, error))?;
        writer.push(line, country, "");
    }
    Ok(writer.finish())
}

/// Generates distinct sessions that cannot be derived from one another: the numbers 0, 1, 2… permuted by a 40-bit Feistel network, keyed by
/// the seed.
struct SessionIds {
    keys: [u64; 4],
}

/// A session, stored inline.
struct SessionId([u8; SESSION_LENGTH]);

impl SessionId {
    #[inline]
    fn as_str(&self) -> &str {
        // All characters are ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl SessionIds {
    #[inline]
    fn new(seed: &str) -> SessionIds {
        // FNV-1a, then a SplitMix64 step for each key.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut state = seed.bytes().fold(0xcbf2_9ce4_8422_2325, hash);
        let keys = [0; 4].map(|_: u64| {
            state = u64::wrapping_add(state, 0x9e37_79b9_7f4a_7c15);
            mixed(state)
        });
        SessionIds { keys }
    }

    #[inline]
    fn spell(&self, index: u64) -> SessionId {
        let (mut left, mut right) = (index >> HALF_BITS & HALF_MASK, index & HALF_MASK);
        for key in self.keys {
            (left, right) = (right, left ^ (mixed(right ^ key) & HALF_MASK));
        }
        let mut bits = left << HALF_BITS | right;
        let letters = [0; SESSION_LENGTH].map(|_: u8| {
            let letter = UNAMBIGUOUS_LOWER[(bits & 31) as usize];
            bits >>= 5;
            letter
        });
        SessionId(letters)
    }
}

#[inline]
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::{Endpoint, format_endpoints, read_endpoints};
    use super::*;
    use std::collections::HashSet;

    fn request() -> ListRequest {
        ListRequest {
            scheme: "socks5".into(),
            host: "gate.example".into(),
            ports: vec![8_000, 8_001, 8_002],
            user: Some(UserParts {
                name: "ann".into(),
                country: Some("de".into()),
                ttl_minutes: Some(30),
                ..UserParts::default()
            }),
            password: "secret".into(),
            count: 7,
            sticky: true,
            seed: "monday".into(),
            format: EndpointFormat::Url,
            template: None,
        }
    }

    fn fields(request: &ListRequest) -> Vec<String> {
        let errors = build_list(request).expect_err("errors").0;
        let rules =
            errors.iter().flat_map(|(field, rules)| rules.iter().map(move |rule| format!("{field} {}", rule.rule)));
        rules.collect()
    }

    #[test]
    fn all_errors_of_a_list_are_reported_at_once() {
        let wrong = ListRequest {
            scheme: "ftp".into(),
            host: "-".into(),
            ports: vec![],
            user: Some(UserParts { name: "A".into(), ttl_minutes: Some(0), ..UserParts::default() }),
            count: 0,
            template: Some("{what}".into()),
            ..request()
        };
        assert_eq!(
            fields(&wrong),
            [
                "Count endpointCount",
                "Host endpointHost",
                "Ports endpointMissing",
                "Scheme endpointScheme",
                "Template endpointPlaceholder",
                "User.Name endpointCharacters",
                "User.TtlMinutes endpointTtl"
            ]
        );
        assert_eq!(fields(&ListRequest { count: LIST_MAX + 1, ..request() }), ["Count endpointCount"]);
        assert_eq!(fields(&ListRequest { ports: vec![1, 0], ..request() }), ["Ports endpointPort"]);
        assert_eq!(fields(&ListRequest { sticky: false, ..request() }), ["User.TtlMinutes endpointTtlWithoutSession"]);
        let colon = ListRequest { password: "a:b".into(), format: EndpointFormat::HostPortUserPass, ..request() };
        assert_eq!(fields(&colon), ["Password endpointForbidden"]);
        assert_eq!(fields(&ListRequest { user: None, ..request() }), ["Password endpointMissing"]);
        let mut long = request();
        long.user = long.user.map(|user| UserParts { session: Some("a".repeat(25)), ..user });
        assert_eq!(fields(&long), ["User.Session endpointLength"]);
    }

    #[test]
    fn every_line_has_its_own_session_and_the_next_port() {
        let mut wanted = request();
        wanted.user = wanted.user.map(|user| UserParts { session: Some("job1".into()), ..user });
        for format in EndpointFormat::ALL.iter().copied() {
            let list = build_list(&ListRequest { format, ..wanted.clone() }).expect("a list");
            let read: Vec<_> = read_endpoints(&list).into_iter().filter_map(|line| line.endpoint).collect();
            assert_eq!(
                read.iter().map(|read| read.port).collect::<Vec<_>>(),
                [8_000, 8_001, 8_002, 8_000, 8_001, 8_002, 8_000]
            );
            let users = read.iter().map(|read| UserName::parse(&read.user_name).expect("a user").into_parts());
            let sessions: HashSet<_> = users
                .map(|user| {
                    assert_eq!((user.country.as_deref(), user.ttl_minutes), (Some("de"), Some(30)));
                    user.session.filter(|id| id.starts_with("job1") && id.len() == 12).expect("a session")
                })
                .collect();
            assert_eq!(sessions.len(), 7);
        }
        let templated = ListRequest { template: Some("{country} {session} {user}".into()), count: 1, ..wanted };
        let line = build_list(&templated).expect("a list");
        let session = line.split(' ').nth(1).expect("a session");
        assert_eq!(line, format!("de {session} user-ann-country-de-session-{session}-ttl-30"));
    }

    #[test]
    fn rotating_lists_and_those_without_a_user_have_no_generated_sessions() {
        let user = Some(UserParts { name: "ann".into(), ..UserParts::default() });
        let rotating = ListRequest { sticky: false, user, count: 2, ..request() };
        assert_eq!(
            build_list(&rotating).expect("a list"),
            "socks5://user-ann:secret@gate.example:8000\nsocks5://user-ann:secret@gate.example:8001"
        );
        let open = ListRequest { user: None, password: String::new(), count: 1, ..request() };
        assert_eq!(build_list(&open).expect("a list"), "socks5://gate.example:8000");
    }

    #[test]
    fn sessions_are_determined_by_the_seed_and_distinct() {
        let (monday, tuesday) = (SessionIds::new("monday"), SessionIds::new("tuesday"));
        let ids: HashSet<_> = (0..u64::from(LIST_MAX)).map(|index| monday.spell(index).0).collect();
        assert_eq!(ids.len(), LIST_MAX as usize);
        assert_eq!(monday.spell(7).as_str(), SessionIds::new("monday").spell(7).as_str());
        let shared = (0..1_000).filter(|index| ids.contains(&tuesday.spell(*index).0)).count();
        assert!(shared < 10, "{shared} of 1000 sessions are shared with another seed");
    }

    #[test]
    fn nodes_are_formatted_like_endpoints() {
        let node = |host: &'static str, password: &'static str| ListNode {
            scheme: "http",
            host,
            port: 8_080,
            user_name: "u1",
            password,
            country: "US",
        };
        let nodes = [node("198.18.0.1", "p1"), node("2001:db8::1", "p2")];
        for format in EndpointFormat::ALL.iter().copied() {
            let endpoints: Vec<_> = nodes
                .iter()
                .map(|node| Endpoint {
                    scheme: node.scheme.to_string(),
                    host: node.host.to_string(),
                    port: node.port,
                    user_name: node.user_name.to_string(),
                    password: node.password.to_string(),
                })
                .collect();
            assert_eq!(build_node_list(&nodes, format, None), format_endpoints(&endpoints, format));
            let rows = "http\t198.18.0.1\t8080\tu1\tp1\tus\nhttp\t2001:db8::1\t8080\tu1\tp2\t\n";
            assert_eq!(build_node_list_of_rows(rows, format, None), format_endpoints(&endpoints, format));
        }
        let templated = build_node_list(&nodes, EndpointFormat::Url, Some("{country}|{host}|{session}"));
        assert_eq!(templated.expect("a list"), "us|198.18.0.1|\nus|2001:db8::1|");
        let errors =
            build_node_list(&[node("198.18.0.1", "a:b")], EndpointFormat::HostPortUserPass, None).expect_err("errors");
        assert!(errors.0.contains_key("Nodes.0.Password"));
        for (row, field) in [
            ("http", "Nodes.0.Host"),
            ("http\t198.18.0.1\t0\tu\tp\t", "Nodes.0.Port"),
            ("http\t198.18.0.1\t80\tu\tp\t\t", "Nodes.0.Password"),
            ("http\t198.18.0.1\t80\tu\tp\t\n\n", "Nodes.1.Host"),
        ] {
            let errors = build_node_list_of_rows(row, EndpointFormat::Url, None).expect_err("errors");
            assert!(errors.0.contains_key(field), "{row:?} {errors:?}");
        }
        let many = "http\t198.18.0.1\t80\tu\tp\t\n".repeat(LIST_MAX as usize + 1);
        let errors = build_node_list_of_rows(&many, EndpointFormat::Url, None).expect_err("errors");
        assert!(errors.0.contains_key("Nodes"));
        let errors = build_node_list(&nodes, EndpointFormat::Url, Some("{")).expect_err("errors");
        assert!(errors.0.contains_key("Template"));
    }
}
