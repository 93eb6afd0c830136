//! IP addresses and networks: which of them a customer may whitelist, and how senders are identified for rate limits.
//!
//! A whitelist entry is an address or a network in CIDR notation. An entry must belong to the customer who adds
//! it, so networks that are too wide, and private or special-purpose ranges, are refused.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The widest IPv4 network of a whitelist entry: 256 addresses.
pub const IPV4_MIN_PREFIX: u8 = 24;

/// The widest IPv6 network of a whitelist entry: the usual allocation of one site.
pub const IPV6_MIN_PREFIX: u8 = 48;

/// The prefix that identifies an IPv6 sender: one subscriber's own network.
pub const SENDER_IPV6_PREFIX: u8 = 64;

pub const LABEL_MAX_LENGTH: usize = 40;

/// Whitelist entries per plan.
pub const MAX_WHITELIST_ENTRIES: usize = 100;

/// The addresses that all entries of a whitelist may have together: ten of the widest networks.
pub const MAX_WHITELIST_ADDRESSES: u32 = 2_560;

wire_enum! {
    /// Special-purpose ranges (IANA's registries of special-purpose addresses).
    SpecialRange {
        Private = "private",
        Loopback = "loopback",
        LinkLocal = "link_local",
        /// Carrier-grade NAT, shared by many customers.
        Shared = "shared",
        Multicast = "multicast",
        Documentation = "documentation",
        Reserved = "reserved",
    }
}

/// Why a text is not a valid address or network.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NetworkError {
    /// Neither an address nor `address/prefix`.
    Malformed,
    /// The prefix is longer than the address.
    Prefix {
        max: u8,
    },
    /// The prefix is shorter than a whitelist allows.
    TooWide {
        min: u8,
    },
    Special(SpecialRange),
}

impl NetworkError {
    /// The broken rule, and its parameters.
    pub fn rule(self) -> (Rule, Vec<(&'static str, String)>) {
        let rule = match self {
            NetworkError::Malformed => Rule::Network,
            NetworkError::Prefix { max } => return (Rule::NetworkPrefix, vec![("Max", max.to_string())]),
            NetworkError::TooWide { min } => return (Rule::NetworkTooWide, vec![("Min", min.to_string())]),
            NetworkError::Special(SpecialRange::Private) => Rule::NetworkPrivate,
            NetworkError::Special(SpecialRange::Loopback) => Rule::NetworkLoopback,
            NetworkError::Special(SpecialRange::LinkLocal) => Rule::NetworkLinkLocal,
            NetworkError::Special(SpecialRange::Shared) => Rule::NetworkShared,
            NetworkError::Special(SpecialRange::Multicast) => Rule::NetworkMulticast,
            NetworkError::Special(SpecialRange::Documentation) => Rule::NetworkDocumentation,
            NetworkError::Special(SpecialRange::Reserved) => Rule::NetworkReserved,
        };
        (rule, Vec::new())
    }

    /// This error in a form field.
    pub fn at(self, field: &str) -> FieldErrors {
        let (rule, params) = self.rule();
        FieldErrors::one(field, rule, &params)
    }
}

/// A network, or a single address (a network with the longest prefix). The host bits are zero, and an IPv4-mapped IPv6 address becomes an
/// IPv4 address, so that equal networks are equal values. Serialised as text.
///
/// ```
/// use postern_core::network::Network;
/// let network = Network::parse("192.0.2.77/24").expect("a network");
/// assert_eq!(network.to_string(), "192.0.2.0/24");
/// assert!(network.contains("::ffff:192.0.2.1".parse().expect("an address")));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Parses an address or a network in CIDR notation, such as `2001:db8::/48`. Surrounding spaces and host bits are dropped.
    pub fn parse(text: &str) -> Result<Network, NetworkError> {
        let text = text.trim();
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| NetworkError::Malformed)?;
        let bits = bits_of(address);
        let prefix = match prefix {
            None => bits,
            Some(digits) => read_prefix(digits, bits)?,
        };
        match (address, address.to_canonical()) {
            (IpAddr::V6(_), mapped @ IpAddr::V4(_)) if prefix >= 96 => Ok(Network::new(mapped, prefix - 96)),
            _ => Ok(Network::new(address, prefix)),
        }
    }

    fn new(address: IpAddr, prefix: u8) -> Network {
        Network { address: masked(address, prefix), prefix }
    }

    /// A single address.
    pub fn of(address: IpAddr) -> Network {
        let address = address.to_canonical();
        Network { address, prefix: bits_of(address) }
    }

    /// The first address.
    pub fn address(self) -> IpAddr {
        self.address
    }

    /// The prefix length: up to 32, or up to 128.
    pub fn prefix(self) -> u8 {
        self.prefix
    }

    /// How much room the entry takes in a whitelist: its IPv4 addresses. An IPv6 network takes as much as an IPv4 network that is as many bits
    /// narrower than the widest one.
    fn whitelist_size(self) -> u32 {
        256_u32.checked_shr(u32::from(self.prefix.saturating_sub(min_prefix(self.address)))).unwrap_or(0).max(1)
    }

    pub fn is_single(self) -> bool {
        self.prefix == bits_of(self.address)
    }

    /// Whether the network contains the address. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contains(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.address.is_ipv4() && masked(address, self.prefix) == self.address
    }

    /// Whether the network contains the whole of the other one.
    pub fn covers(self, other: Network) -> bool {
        other.prefix >= self.prefix
            && other.address.is_ipv4() == self.address.is_ipv4()
            && masked(other.address, self.prefix) == self.address
    }

    /// Whether the networks overlap. They do only if one contains the other.
    pub fn overlaps(self, other: Network) -> bool {
        self.covers(other) || other.covers(self)
    }

    /// Whether requests may be sent there on behalf of a customer (SSRF protection): all of it is public, and none of it is a cloud
    /// metadata service.
    pub fn is_public(self) -> bool {
        self.special_range().is_none() && !self.contains(CLOUD_SERVICES)
    }

    /// Fails if the network overlaps a special-purpose range.
    fn refuse_special(self) -> Result<Network, NetworkError> {
        match self.special_range() {
            Some(range) => Err(NetworkError::Special(range)),
            None => Ok(self),
        }
    }

    /// The special-purpose range that this network overlaps, if any.
    pub fn special_range(self) -> Option<SpecialRange> {
        let touched = SPECIAL.iter().find(|(address, prefix, _)| self.overlaps(Network::new(*address, *prefix)));
        match touched {
            Some((_, _, range)) => Some(*range),
            // All other assigned IPv6 space is in 2000::/3.
            None if self.address.is_ipv6() && !GLOBAL_UNICAST.covers(self) => Some(SpecialRange::Reserved),
            None => None,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_single() {
            true => write!(formatter, "{}", self.address),
            false => write!(formatter, "{}/{}", self.address, self.prefix),
        }
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Network, D::Error> {
        let text = String::deserialize(deserializer)?;
        Network::parse(&text).map_err(|_| serde::de::Error::custom("not an address or a network"))
    }
}

/// The metadata address of a large cloud platform; it is within a public range.
const CLOUD_SERVICES: IpAddr = IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16));

const GLOBAL_UNICAST: Network = Network { address: v6(0x2000, 0), prefix: 3 };

const fn v4(a: u8, b: u8, c: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(a, b, c, 0))
}

const fn v6(first: u16, second: u16) -> IpAddr {
    IpAddr::V6(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0))
}

const SPECIAL: &[(IpAddr, u8, SpecialRange)] = &[
    (v4(10, 0, 0), 8, SpecialRange::Private),
    (v4(172, 16, 0), 12, SpecialRange::Private),
    (v4(192, 168, 0), 16, SpecialRange::Private),
    (v4(100, 64, 0), 10, SpecialRange::Shared),
    (v4(127, 0, 0), 8, SpecialRange::Loopback),
    (v4(169, 254, 0), 16, SpecialRange::LinkLocal),
    (v4(192, 0, 2), 24, SpecialRange::Documentation),
    (v4(198, 51, 100), 24, SpecialRange::Documentation),
    (v4(203, 0, 113), 24, SpecialRange::Documentation),
    (v4(0, 0, 0), 8, SpecialRange::Reserved),
    // Protocol assignments, 6to4 relays, benchmark tests.
    (v4(192, 0, 0), 24, SpecialRange::Reserved),
    (v4(192, 88, 99), 24, SpecialRange::Reserved),
    (v4(198, 18, 0), 15, SpecialRange::Reserved),
    (v4(224, 0, 0), 4, SpecialRange::Multicast),
    (v4(240, 0, 0), 4, SpecialRange::Reserved),
    (IpAddr::V6(Ipv6Addr::LOCALHOST), 128, SpecialRange::Loopback),
    (v6(0xfc00, 0), 7, SpecialRange::Private),
    (v6(0xfe80, 0), 10, SpecialRange::LinkLocal),
    (v6(0xff00, 0), 8, SpecialRange::Multicast),
    (v6(0x2001, 0x0db8), 32, SpecialRange::Documentation),
    (v6(0x3fff, 0), 20, SpecialRange::Documentation),
    // Protocol assignments with Teredo, and 6to4.
    (v6(0x2001, 0), 23, SpecialRange::Reserved),
    (v6(0x2002, 0), 16, SpecialRange::Reserved),
];

fn bits_of(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn read_prefix(digits: &str, bits: u8) -> Result<u8, NetworkError> {
    let is_plain = (1..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if !is_plain {
        return Err(NetworkError::Malformed);
    }
    let prefix: Option<u8> = digits.parse().ok();
    prefix.filter(|prefix| *prefix <= bits).ok_or(NetworkError::Prefix { max: bits })
}

/// The address with all bits after the prefix set to zero.
fn masked(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix.min(32))).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix.min(128))).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

/// The key that identifies a sender for rate limits: an IPv4 address, or the /64 of an IPv6 address, because a single subscriber has a
/// whole /64.
///
/// ```
/// use postern_core::network::sender_key;
/// let key = |text: &str| sender_key(text.parse().expect("an address"));
/// assert_eq!(key("203.0.113.9"), "203.0.113.9");
/// assert_eq!(key("2001:db8:1:2:a:b:c:d"), "2001:db8:1:2::/64");
/// assert_eq!(key("::ffff:203.0.113.9"), "203.0.113.9");
/// ```
pub fn sender_key(address: IpAddr) -> String {
    let address = address.to_canonical();
    let bits = if address.is_ipv4() { 32 } else { SENDER_IPV6_PREFIX };
    Network::new(address, bits).to_string()
}

/// Ranges for examples and tests: the documentation ranges, and the benchmarking range, which contains the demo's nodes.
const EXAMPLES: &[(IpAddr, u8)] = &[
    (v4(192, 0, 2), 24),
    (v4(198, 51, 100), 24),
    (v4(203, 0, 113), 24),
    (v4(198, 18, 0), 15),
    (v6(0x2001, 0x0db8), 32),
    (v6(0x3fff, 0), 20),
];

/// Checks whether a proxy for sale can have this address: publicly routable, and not a cloud metadata service. A demo also accepts the
/// example ranges.
pub fn possible_exit(address: IpAddr, is_demo: bool) -> Result<(), NetworkError> {
    let network = Network::of(address);
    let is_example = EXAMPLES.iter().any(|(address, prefix)| Network::new(*address, *prefix).covers(network));
    match network.refuse_special() {
        Err(_) if is_demo && is_example => Ok(()),
        Ok(network) if network.contains(CLOUD_SERVICES) => Err(NetworkError::Special(SpecialRange::Reserved)),
        other => other.map(|_| ()),
    }
}

/// Parses a whitelist entry: a public address, or a public network with a prefix of at least 24 bits (IPv4) or 48 (IPv6).
///
/// ```
/// use postern_core::network::{NetworkError, SpecialRange, whitelist_entry};
/// assert_eq!(whitelist_entry("8.8.8.8/24").map(|network| network.to_string()), Ok("8.8.8.0/24".into()));
/// assert_eq!(whitelist_entry("0.0.0.0/0"), Err(NetworkError::TooWide { min: 24 }));
/// assert_eq!(whitelist_entry("192.168.1.7"), Err(NetworkError::Special(SpecialRange::Private)));
/// ```
pub fn whitelist_entry(text: &str) -> Result<Network, NetworkError> {
    let network = Network::parse(text)?;
    let min = min_prefix(network.address);
    if network.prefix < min {
        return Err(NetworkError::TooWide { min });
    }
    network.refuse_special()
}

/// The whitelist entries that contain this network, as text: itself and every wider one, narrowest first.
///
/// ```
/// use postern_core::network::{Network, entries_around};
/// let entries = entries_around(Network::parse("8.8.8.130/26").expect("a network"));
/// assert_eq!(entries, ["8.8.8.128/26", "8.8.8.128/25", "8.8.8.0/24"]);
/// ```
pub fn entries_around(network: Network) -> Vec<String> {
    let min = min_prefix(network.address);
    (min..=network.prefix).rev().map(|prefix| Network::new(network.address, prefix).to_string()).collect()
}

fn min_prefix(address: IpAddr) -> u8 {
    if address.is_ipv4() { IPV4_MIN_PREFIX } else { IPV6_MIN_PREFIX }
}

/// The networks of stored entries.
pub fn networks(entries: &[String]) -> Vec<Network> {
    entries.iter().filter_map(|entry| Network::parse(entry).ok()).collect()
}

/// Checks whether a whitelist with these entries has room for another one: a new entry, and not more than `max_entries` or
/// `MAX_WHITELIST_ADDRESSES`.
pub fn check_whitelist_room(present: &[Network], added: Network, max_entries: usize) -> Result<(), FieldErrors> {
    let size = present.iter().fold(added.whitelist_size(), |size, entry| size.saturating_add(entry.whitelist_size()));
    let refused = |rule, max: Option<String>| {
        let params: Vec<(&str, String)> = max.into_iter().map(|max| ("Max", max)).collect();
        Err(FieldErrors::one("Address", rule, &params))
    };
    if present.contains(&added) {
        refused(Rule::WhitelistRepeated, None)
    } else if present.len() >= max_entries {
        refused(Rule::WhitelistFull, Some(max_entries.to_string()))
    } else if size > MAX_WHITELIST_ADDRESSES {
        refused(Rule::WhitelistTooWide, Some(MAX_WHITELIST_ADDRESSES.to_string()))
    } else {
        Ok(())
    }
}

/// Validates a whitelist entry with its label, at the fields `Address` and `Label`.
pub fn validate_whitelist_entry(address: &str, label: &str) -> Result<Network, FieldErrors> {
    let mut errors = validate_whitelist_label(label).err().unwrap_or_default();
    if address.trim().is_empty() {
        errors.add("Address", Rule::Required, &[]);
        return Err(errors);
    }
    match whitelist_entry(address) {
        Ok(network) => errors.into_result(network),
        Err(error) => {
            let (rule, params) = error.rule();
            errors.add("Address", rule, &params);
            Err(errors)
        }
    }
}

/// The label of a whitelist entry: one short line. Empty removes it.
pub fn validate_whitelist_label(label: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let label = checks.line("Label", label, LABEL_MAX_LENGTH);
    checks.finish(label)
}

#[cfg(test)]
mod tests;
