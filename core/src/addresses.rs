//! Extracts IP addresses from pasted text: a spreadsheet column, proxy lines, or a log.
use crate::checks::without_invisible;
use serde::Serialize;
use std::net::{IpAddr, Ipv6Addr};

/// The distinct addresses of a text in order of appearance, and the words without an address.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct PastedAddresses {
    pub ips: Vec<String>,
    pub unread: Vec<String>,
}

/// Extracts at most one address from each word: alone, with a port, or in a proxy line of any order.
///
/// ```
/// use postern_core::addresses::read_addresses;
/// let pasted = read_addresses("198.18.0.7, 198.18.0.8:8080:ann:pw http://ann:pw@198.18.0.9:80 gate.example");
/// assert_eq!(pasted.ips, ["198.18.0.7", "198.18.0.8", "198.18.0.9"]);
/// assert_eq!(pasted.unread, ["gate.example"]);
/// ```
pub fn read_addresses(text: &str) -> PastedAddresses {
    let mut pasted = PastedAddresses::default();
    let is_between = |letter: char| letter.is_whitespace() || ",;|\"'，；、".contains(letter);
    for word in without_invisible(text).split(is_between).filter(|word| !word.is_empty()) {
        match word.split(['@', '/']).find_map(address) {
            Some(ip) if pasted.ips.contains(&ip) => {}
            Some(ip) => pasted.ips.push(ip),
            None => pasted.unread.push(word.to_owned()),
        }
    }
    pasted
}

/// The address at the start or end of a part of a proxy line.
fn address(part: &str) -> Option<String> {
    if let Some((inside, _)) = part.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inside.parse::<Ipv6Addr>().ok().map(|ip| ip.to_string());
    }
    let ip = part.parse::<IpAddr>().ok().or_else(|| part.split(':').find_map(|piece| piece.parse::<IpAddr>().ok()))?;
    Some(ip.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_every_common_notation() {
        for word in [
            "198.18.0.7",
            "198.18.0.7:8080",
            "198.18.0.7:8080:ann:pw",
            "ann:pw:198.18.0.7:8080",
            "ann:pw@198.18.0.7:8080",
            "198.18.0.7:8080@ann:pw",
            "socks5://ann:pw@198.18.0.7:1080",
            "\"198.18.0.7\"",
            " 198.18.0.7 ,198.18.0.7\r\n",
        ] {
            let pasted = read_addresses(word);
            assert_eq!((pasted.ips, pasted.unread), (vec!["198.18.0.7".to_owned()], vec![]), "{word:?}");
        }
        assert_eq!(read_addresses("2001:DB8::1 [2001:db8::1]:80").ips, ["2001:db8::1"]);
    }

    #[test]
    fn words_without_an_address_are_returned() {
        let pasted = read_addresses("256.1.1.1 1.2.3 gate.example:80");
        assert_eq!(
            (pasted.ips.len(), pasted.unread),
            (0, vec!["256.1.1.1".into(), "1.2.3".into(), "gate.example:80".into()])
        );
        assert_eq!(read_addresses(""), PastedAddresses::default());
    }
}
