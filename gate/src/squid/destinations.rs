//! Where clients of Squid may not connect to: what `postern_core::network` does not hold for public, as lists for Squid.
//!
//! Squid keeps IPv4 addresses as IPv6 ones (`::ffff:0:0/96`), so no network of these lists may cover that one. And of two networks that
//! overlap in one ACL, it drops the larger one.

/// Special-purpose IPv4 networks, and the metadata address of a large cloud platform.
pub const CLOSED_IPV4: &str = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 \
     192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3";

/// Special-purpose IPv6 networks, and what is outside of 2000::/3; what is missing here of ::/16 is assigned to nobody.
pub const CLOSED_IPV6: &str = "::/96 1::/16 2::/15 4::/14 8::/13 10::/12 20::/11 40::/10 80::/9 100::/8 200::/7 400::/6 800::/5 1000::/4 \
     2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1";

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::network::Network;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    fn closed() -> Vec<Network> {
        [CLOSED_IPV4, CLOSED_IPV6]
            .iter()
            .flat_map(|list| list.split_whitespace())
            .map(|text| Network::parse(text).expect("a network"))
            .collect()
    }

    /// The first and the last address of a network, and those beside it.
    fn edges(network: Network) -> Vec<IpAddr> {
        match network.address() {
            IpAddr::V4(first) => {
                let size = 1_u64 << (32 - network.prefix());
                let (first, last) =
                    (first.to_bits(), u32::try_from(u64::from(first.to_bits()) + size - 1).expect("an address"));
                let all = [first.checked_sub(1), Some(first), Some(last), last.checked_add(1)];
                all.into_iter().flatten().map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))).collect()
            }
            IpAddr::V6(first) => {
                let first = first.to_bits();
                let last = first | (u128::MAX >> network.prefix());
                let all = [first.checked_sub(1), Some(first), Some(last), last.checked_add(1)];
                all.into_iter().flatten().map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits))).collect()
            }
        }
    }

    #[test]
    fn the_lists_close_what_core_does_not_hold_for_public() {
        let closed = closed();
        let mut addresses: Vec<IpAddr> = closed.iter().flat_map(|network| edges(*network)).collect();
        for texts in [
            "8.8.8.8 1.1.1.1 10.1.2.3 100.100.100.200 223.255.255.255 240.0.0.1 255.255.255.255 192.0.0.192",
            "::1 ::7f00:1 2606:4700::1111 2a00::1 fd00:ec2::254 fe80::1 ff02::1 64:ff9b::7f00:1 2001:4860::8888",
        ] {
            addresses.extend(texts.split(' ').map(|text| text.parse::<IpAddr>().expect("an address")));
        }
        for address in addresses {
            let is_closed = closed.iter().any(|network| network.contains(address));
            let is_between = matches!(address, IpAddr::V6(v6) if v6.to_bits() >> 112 == 0 && !is_closed);
            assert!(is_between || is_closed != Network::of(address).is_public(), "{address}");
        }
    }

    #[test]
    fn no_networks_overlap() {
        let closed = closed();
        for (index, network) in closed.iter().enumerate() {
            assert!(!closed[..index].iter().any(|other| other.overlaps(*network)), "{network}");
        }
    }

    #[test]
    fn no_list_of_ipv6_networks_covers_all_of_ipv4() {
        let mapped = Ipv4Addr::new(8, 8, 8, 8).to_ipv6_mapped();
        for text in CLOSED_IPV6.split_whitespace() {
            let network = Network::parse(text).expect("a network");
            let (IpAddr::V6(first), prefix) = (network.address(), network.prefix()) else {
                panic!("{text} is not IPv6")
            };
            let mask = if prefix == 0 { 0 } else { u128::MAX << (128 - prefix) };
            assert!(mapped.to_bits() & mask != first.to_bits(), "{text}");
        }
    }
}
