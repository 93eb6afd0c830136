//! For whom the traffic of a client counts, as a text that Squid keeps with the connection and writes to its log.
use crate::access::Identity;
use postern_core::place;
use postern_core::proxy_protocol::Authorization;
use postern_core::usage::name_of;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CountedFor {
    /// A node, by its public address.
    Node(IpAddr),
    /// A proxy user by id, and the requested country; empty for none.
    ProxyUser { id: i64, country: String },
    /// A proxy user whose id the shop did not tell.
    Named { name: String, country: String },
}

impl CountedFor {
    /// For whom the traffic of an allowed client counts; none if the shop did not say it.
    pub fn of(identity: &Identity, answer: &Authorization) -> Option<CountedFor> {
        if let Some(node) = identity.node {
            return Some(CountedFor::Node(node));
        }
        let country = answer.country.clone().unwrap_or_default();
        let name = answer.user_name.as_deref().unwrap_or(name_of(&identity.user_name));
        match answer.proxy_user_id {
            Some(id) => Some(CountedFor::ProxyUser { id, country }),
            None if is_name(name) => Some(CountedFor::Named { name: name.to_owned(), country }),
            None => None,
        }
        .filter(|counted_for| counted_for.to_string().parse().as_ref() == Ok(counted_for))
    }
}

/// Whether the text is safe in Squid's protocol and log: names of proxy users and of nodes are.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl fmt::Display for CountedFor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountedFor::Node(ip) => write!(formatter, "ip:{ip}"),
            CountedFor::ProxyUser { id, country } => write!(formatter, "id:{id}:{country}"),
            CountedFor::Named { name, country } => write!(formatter, "name:{name}:{country}"),
        }
    }
}

/// The text is none that `squid-auth` wrote.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotCountedFor;

impl FromStr for CountedFor {
    type Err = NotCountedFor;

    fn from_str(text: &str) -> Result<CountedFor, NotCountedFor> {
        let (kind, rest) = text.split_once(':').ok_or(NotCountedFor)?;
        if kind == "ip" {
            return Ok(CountedFor::Node(rest.parse().map_err(|_| NotCountedFor)?));
        }
        let (user, country) = rest.split_once(':').ok_or(NotCountedFor)?;
        if !country.is_empty() && place::country(country).is_none() {
            return Err(NotCountedFor);
        }
        let country = country.to_owned();
        match kind {
            "id" => Ok(CountedFor::ProxyUser { id: user.parse().map_err(|_| NotCountedFor)?, country }),
            "name" if is_name(user) => Ok(CountedFor::Named { name: user.to_owned(), country }),
            _ => Err(NotCountedFor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    fn identity(user_name: &str, node: Option<&str>) -> Identity {
        let (client, node) =
            ("8.8.8.8".parse().expect("an address"), node.map(|node| node.parse().expect("an address")));
        Identity { user_name: user_name.into(), password: Secret::default(), client, node }
    }

    fn text(identity: &Identity, answer: &Authorization) -> Option<String> {
        CountedFor::of(identity, answer).map(|counted_for| counted_for.to_string())
    }

    #[test]
    fn traffic_counts_for_the_node_or_the_proxy_user_that_the_shop_names() {
        let answer = Authorization { proxy_user_id: Some(7), country: Some("US".into()), ..Authorization::default() };
        assert_eq!(text(&identity("ann", Some("2001:db8::7")), &answer).as_deref(), Some("ip:2001:db8::7"));
        assert_eq!(text(&identity("", None), &answer).as_deref(), Some("id:7:US"));
        let nameless = Authorization::default();
        assert_eq!(text(&identity("user-ann_1-country-us", None), &nameless).as_deref(), Some("name:ann_1:"));
        assert_eq!(text(&identity("", None), &nameless), None);
        assert_eq!(text(&identity("user-a b", None), &nameless), None);
        let nowhere = Authorization { country: Some("U S".into()), ..answer };
        assert_eq!(text(&identity("", None), &nowhere), None);
    }

    #[test]
    fn what_is_written_is_read_back_and_nothing_else_is() {
        for text in ["ip:203.0.113.7", "ip:2001:db8::7", "id:7:US", "id:7:", "name:ann_1:DE", "name:ann:"] {
            assert_eq!(text.parse::<CountedFor>().expect("read").to_string(), text);
        }
        for text in ["", "-", "ip:", "ip:a", "id:7", "id:x:US", "id:7:XQ", "name::", "name:a b:", "name:a", "other:1:"]
        {
            assert_eq!(text.parse::<CountedFor>(), Err(NotCountedFor), "{text}");
        }
    }
}
