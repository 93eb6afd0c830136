//! Lists of a gateway's endpoints, with a session per line. The input is validated first, then written line by line.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{EndpointFormat, Line, check_credentials, check_target, is_host};
use crate::endpoint::sessions::{SESSION_LENGTH, SessionIds};
use crate::endpoint::types::SCHEMES;
use crate::endpoint::user::{SESSION_MAX_LENGTH, UserName, UserParts};
use crate::endpoint::writer::{Writer, read_template};
use crate::field_errors::FieldErrors;
use serde::{Deserialize, Serialize};

/// The maximum number of lines in a list.
pub const LIST_MAX: u32 = 100_000;

/// Increased whenever the same request gives other lines: responses with a list are identified by it and by their request.
pub const LIST_VERSION: u32 = 1;

/// The maximum length of the prefix that all sessions of a list share.
pub const SESSION_PREFIX_MAX_LENGTH: usize = SESSION_MAX_LENGTH - SESSION_LENGTH;

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
    /// The URL that lines of curl request; `https://example.com` if absent.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub target: Option<String>,
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
///     target: None,
/// };
/// let list = build_list(&request).expect("a list");
/// let first = list.lines().next().expect("a line");
/// assert!(first.starts_with("gate.example:8000:user-ann-session-") && first.ends_with("-ttl-30:secret"));
/// assert_eq!(build_list(&request), Ok(list));
/// ```
#[inline]
pub fn build_list(request: &ListRequest) -> Result<String, FieldErrors> {
    let mut lines = ListLines::new(request.clone())?;
    if let Some(writer) = &mut lines.writer {
        writer.written().reserve(lines.line_bytes.saturating_mul(request.count as usize));
    }
    Ok(lines.piece(usize::MAX).unwrap_or_default())
}

/// A gateway's list that is written piece by piece, so that its length costs no memory. Like [`build_list`], which writes all of it at once.
///
/// ```
/// use postern_core::endpoint::{EndpointFormat, ListLines, ListRequest, build_list};
/// let request = ListRequest {
///     scheme: "http".into(),
///     host: "gate.example".into(),
///     ports: vec![8000],
///     user: None,
///     password: String::new(),
///     count: 100_000,
///     sticky: false,
///     seed: String::new(),
///     format: EndpointFormat::HostPortUserPass,
///     template: None,
///     target: None,
/// };
/// let mut lines = ListLines::new(request.clone()).expect("a list");
/// let pieces: Vec<String> = std::iter::from_fn(|| lines.piece(8_192)).collect();
/// assert!(pieces.iter().all(|piece| piece.len() < 8_192 + 32));
/// assert_eq!(Ok(pieces.concat()), build_list(&request));
/// ```
pub struct ListLines {
    request: ListRequest,
    writer: Option<Writer>,
    ids: SessionIds,
    user_name: String,
    country: String,
    /// The session of all lines, if they have the same.
    session: String,
    made: Option<MadeSessions>,
    next: u32,
    /// The length of the longest line, with its separator.
    line_bytes: usize,
}

/// Where in a user name the generated sessions are.
struct MadeSessions {
    /// The offset of the session, including the prefix that all of them share.
    begin: usize,
    /// The offset of the generated part.
    start: usize,
    /// What follows the session.
    tail: String,
}

impl ListLines {
    /// Validates the request. All errors are reported at once.
    #[inline]
    pub fn new(request: ListRequest) -> Result<ListLines, FieldErrors> {
        let ListRequest { scheme, host, ports, user, password, count, sticky, seed, format, template, target } =
            &request;
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
        if let Some(Err(error)) = target.as_deref().map(check_target) {
            errors.push("Target", error.into());
        }
        let template = read_template(template.as_deref(), &mut errors);
        let ids = SessionIds::new(seed);
        let mut parts = user.clone().unwrap_or_default();
        let prefix = parts.session.clone().unwrap_or_default();
        let is_made = *sticky && user.is_some();
        if is_made {
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
        let session = parts.session.clone().unwrap_or_default();
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

        // All lines have the same length, except for their ports.
        let port = ports.iter().copied().max().unwrap_or_default();
        let mut longest = Writer::new(*format, template.clone(), target.as_deref(), 0);
        let line = Line { scheme, host, port, user_name: &user_name, password };
        longest.push(line, &country, &session).map_err(|error| error.at(Part::Template.field()))?;
        let line_bytes = longest.finish().len() + 1;

        let tail = parts.ttl_minutes.map(|minutes| format!("-{}-{minutes}", Part::Ttl.as_str())).unwrap_or_default();
        let made = is_made.then(|| {
            let start = user_name.len() - tail.len() - SESSION_LENGTH;
            MadeSessions { begin: start - prefix.len(), start, tail }
        });
        let writer = Some(Writer::new(*format, template, target.as_deref(), 0));
        Ok(ListLines { writer, ids, user_name, country, session, made, next: 0, line_bytes, request })
    }

    /// The next lines, of at least this many bytes together or up to the end; `None` after the end.
    #[inline]
    pub fn piece(&mut self, bytes: usize) -> Option<String> {
        let ListLines { request, writer, ids, user_name, country, session, made, next, .. } = self;
        let ListRequest { scheme, host, ports, password, count, .. } = request;
        let writing = writer.as_mut()?;
        while *next < *count && writing.written().len() < bytes.max(1) {
            let mut session = session.as_str();
            if let Some(MadeSessions { begin, start, tail }) = made {
                user_name.truncate(*start);
                user_name.push_str(ids.spell(u64::from(*next)).as_str());
                user_name.push_str(tail);
                session = &user_name[*begin..*start + SESSION_LENGTH];
            }
            let port = ports[*next as usize % ports.len()];
            let line = Line { scheme, host, port, user_name, password };
            // The longest line was checked at the beginning.
            writing.push(line, country, session).ok()?;
            *next += 1;
        }
        if *next < *count { Some(std::mem::take(writing.written())) } else { writer.take().map(Writer::finish) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LINE_MAX_BYTES, read_endpoints};
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
            target: None,
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
        for target in ["", "http://", "ftp://a.example", "https://a.example/$(id)", "https://a.example/\"", "a.example"]
        {
            let wrong = ListRequest { target: Some(target.into()), ..request() };
            assert_eq!(fields(&wrong), ["Target endpointTarget"], "{target}");
        }
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
    fn a_list_in_pieces_is_the_list_in_one_and_no_piece_is_longer_than_asked_for_and_a_line() {
        for format in EndpointFormat::ALL.iter().copied() {
            for template in [None, Some("{country} {session} {user}".to_owned())] {
                let asked = ListRequest { format, template, count: 1_000, ..request() };
                let whole = build_list(&asked).expect("a list");
                let longest = whole.lines().map(str::len).max().expect("lines");
                for bytes in [1, 100, 4_096, 1_000_000] {
                    let mut lines = ListLines::new(asked.clone()).expect("a list");
                    let pieces: Vec<String> = std::iter::from_fn(|| lines.piece(bytes)).collect();
                    assert_eq!(pieces.concat(), whole);
                    assert!(pieces.iter().all(|piece| piece.len() <= bytes + longest + 3), "{format:?} {bytes}");
                    assert!(pieces.len() >= whole.len() / (bytes + longest + 3));
                }
            }
        }
    }

    #[test]
    fn a_template_whose_longest_line_is_too_long_is_rejected() {
        let with = |template: String, port| ListRequest { template: Some(template), ports: vec![1, port], ..request() };
        let user_name = "user-ann-country-de-session-12345678-ttl-30".len();
        let room = LINE_MAX_BYTES - 5 * user_name;
        let full = "{user}".repeat(5) + &"x".repeat(room - 5) + "{port}";
        assert!(
            build_list(&with(full.clone(), 65_535)).expect("a list").lines().all(|line| line.len() <= LINE_MAX_BYTES)
        );
        assert_eq!(fields(&with(full.clone() + "x", 65_535)), ["Template endpointLine"]);
        assert!(build_list(&with(full + "x", 8_000)).is_ok(), "the longest port decides");
        assert_eq!(fields(&with("{user}".repeat(166), 1)), ["Template endpointLine"]);
    }

    /// If this fails, increase [`LIST_VERSION`].
    #[test]
    fn the_same_request_gives_the_lines_of_this_version() {
        let list = build_list(&ListRequest { count: 2, ..request() }).expect("a list");
        let lines = [
            "socks5://user-ann-country-de-session-bxctw9z7-ttl-30:secret@gate.example:8000",
            "socks5://user-ann-country-de-session-bdv7kyej-ttl-30:secret@gate.example:8001",
        ];
        assert_eq!((LIST_VERSION, list), (1, lines.join("\n")));
    }
}
