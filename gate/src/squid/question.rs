//! The lines of Squid's protocol for helpers: a question for each client, with the number of a channel on which it is answered.
use crate::http::headers::basic;
use crate::refusal::Refusal;
use crate::secret::Secret;
use crate::squid::counted_for::{CountedFor, is_name};
use crate::squid::escape::unescape;
use postern_core::usage::Refused;
use std::net::IpAddr;

/// What Squid sends of each request: the client's address, the local address that it dialled, and its credentials.
pub const FORMAT: &str = "%>a %>la %>ha{Proxy-Authorization}";

/// Annotations of a refused request, by which the configuration chooses the response.
pub const STATUS: &str = "postern_status";
pub const ERROR: &str = "postern_error";

/// The number on which Squid waits for an answer.
pub type Channel = u32;

/// A client that wants to connect.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Question {
    pub client: IpAddr,
    pub dialled: IpAddr,
    /// Empty if the client sent none.
    pub user_name: String,
    pub password: Secret,
}

/// Reads a line: its channel, and the question if it is a possible one. None for a line without a channel, which cannot be answered.
pub fn read(line: &str) -> Option<(Channel, Result<Question, Refusal>)> {
    let mut words = line.split_ascii_whitespace();
    let channel = words.next()?;
    let channel = channel.bytes().all(|byte| byte.is_ascii_digit()).then(|| channel.parse().ok()).flatten()?;
    let mut next = || words.next().and_then(unescape);
    let address = |text: Option<String>| text.and_then(|text| text.parse::<IpAddr>().ok()).map(|ip| ip.to_canonical());
    let (Some(client), Some(dialled)) = (address(next()), address(next())) else {
        return Some((channel, Err(Refusal::Malformed)));
    };
    let (user_name, password) = match next() {
        Some(header) if header == "-" => Default::default(),
        Some(header) => match basic(&header) {
            Some(credentials) => credentials,
            None => return Some((channel, Err(Refusal::Access(Refused::UnknownUser)))),
        },
        None => return Some((channel, Err(Refusal::Access(Refused::UnknownUser)))),
    };
    Some((channel, Ok(Question { client, dialled, user_name, password })))
}

/// The line that admits a client. The user name is for the log.
pub fn admission(channel: Channel, counted_for: &CountedFor, user_name: Option<&str>) -> String {
    let user = user_name.filter(|name| is_name(name)).map(|name| format!(" user={name}")).unwrap_or_default();
    format!("{channel} OK log={counted_for}{user}\n")
}

/// The line that refuses a client.
pub fn refusal(channel: Channel, refusal: Refusal) -> String {
    let (status, word, text) = (refusal.status().as_u16(), refusal.as_str(), refusal.text());
    format!("{channel} ERR {STATUS}={status} {ERROR}={word} message=\"{text}\"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: Refusal = Refusal::Access(Refused::UnknownUser);

    fn question(client: &str, user_name: &str, password: &str) -> Question {
        let address = |text: &str| text.parse().expect("an address");
        let (user_name, password) = (user_name.to_owned(), Secret::new(password));
        Question { client: address(client), dialled: address("10.0.0.7"), user_name, password }
    }

    #[test]
    fn a_question_has_a_channel_addresses_and_credentials() {
        for (line, expected) in [
            ("0 8.8.8.8 10.0.0.7 Basic%20YW5uOnJpZ2h0 -\n", question("8.8.8.8", "ann", "right")),
            ("0 8.8.8.8 10.0.0.7 basic%20%20YW5uOmE6Yg%3D%3D -\n", question("8.8.8.8", "ann", "a:b")),
            ("0 8.8.8.8 10.0.0.7 - -\n", question("8.8.8.8", "", "")),
            ("0 8.8.8.8 10.0.0.7 -", question("8.8.8.8", "", "")),
            ("0 ::ffff:8.8.8.8 10.0.0.7 - -\n", question("8.8.8.8", "", "")),
            ("0 2001%3Adb8%3A%3A1 10.0.0.7 - -\n", question("2001:db8::1", "", "")),
        ] {
            assert_eq!(read(line), Some((0, Ok(expected))), "{line}");
        }
    }

    #[test]
    fn rubbish_is_refused_on_its_channel_or_skipped() {
        for line in
            ["", "\n", "x 8.8.8.8 10.0.0.7 -", "-1 8.8.8.8 10.0.0.7 -", "+1 8.8.8.8 10.0.0.7 -", "99999999999 -"]
        {
            assert_eq!(read(line), None, "{line}");
        }
        for (line, refusal) in [
            ("7", Refusal::Malformed),
            ("7 8.8.8.8", Refusal::Malformed),
            ("7 - - -", Refusal::Malformed),
            ("7 host 10.0.0.7 -", Refusal::Malformed),
            ("7 8.8.8.8 10.0.0.7", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 %", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 %00", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 Basic", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 Basic%20!", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 Basic%20YW5u", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 Bearer%20YW5uOnJpZ2h0", UNKNOWN),
            ("7 8.8.8.8 10.0.0.7 Basic%20YW5uOnJpZ2h0,%20Basic%20YW5uOnJpZ2h0", UNKNOWN),
        ] {
            assert_eq!(read(line), Some((7, Err(refusal))), "{line}");
        }
    }

    #[test]
    fn answers_are_single_lines_that_name_the_channel() {
        let node = CountedFor::Node("203.0.113.7".parse().expect("an address"));
        assert_eq!(admission(3, &node, Some("ann_1")), "3 OK log=ip:203.0.113.7 user=ann_1\n");
        assert_eq!(admission(3, &node, Some("a\nb")), "3 OK log=ip:203.0.113.7\n");
        for reason in Refused::ALL {
            let line = refusal(4, Refusal::Access(*reason));
            let begin = format!("4 ERR postern_status={} ", Refusal::Access(*reason).status().as_u16());
            assert!(
                line.starts_with(&begin) && line.matches('\n').count() == 1 && line.matches('"').count() == 2,
                "{line}"
            );
            assert!(!line.contains('\\'), "{line}");
        }
    }
}
