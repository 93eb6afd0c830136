//! Parsing of networks, rejection of special-purpose ranges, and keys of senders.
use super::*;
use proptest::prelude::*;

#[test]
fn invalid_networks_are_rejected() {
    for text in [
        "",
        " ",
        "/",
        "8.8.8.8/",
        "8.8.8.8/+8",
        "8.8.8.8/08",
        "8.8.8.8/ 8",
        "8.8.8",
        "8.8.8.8.8",
        "08.8.8.8",
        "256.1.1.1",
        "0x8.8.8.8",
        "8.8.8.8:80",
        "8.8.8.8/255.255.255.0",
        "8.8.8.0-8.8.8.9",
        "example.com",
        "[2606::1]",
        "fe80::1%eth0",
        "2606:::1",
        "8.8.8.8/24/24",
        "8.8.8.8/1000",
    ] {
        assert_eq!(whitelist_entry(text), Err(NetworkError::Malformed), "{text}");
    }
    assert_eq!(whitelist_entry("8.8.8.8/33"), Err(NetworkError::Prefix { max: 32 }));
    assert_eq!(whitelist_entry("2606::1/129"), Err(NetworkError::Prefix { max: 128 }));
    assert_eq!(whitelist_entry("2606::1/999"), Err(NetworkError::Prefix { max: 128 }));
}

#[test]
fn networks_that_are_too_wide_are_rejected() {
    for (text, min) in
        [("0.0.0.0/0", 24), ("8.8.8.0/23", 24), ("::/0", 48), ("2606:4700::/47", 48), ("::ffff:8.8.8.8/119", 24)]
    {
        assert_eq!(whitelist_entry(text), Err(NetworkError::TooWide { min }), "{text}");
    }
}

#[test]
fn special_purpose_ranges_are_rejected_by_name() {
    use SpecialRange as S;
    for (range, texts) in [
        (
            S::Private,
            &[
                "10.0.0.1",
                "172.16.0.0/24",
                "172.31.255.255",
                "192.168.1.0/24",
                "fc00::1",
                "fd12:3456::/48",
                "::ffff:10.0.0.1",
            ][..],
        ),
        (S::Loopback, &["127.0.0.1", "127.9.9.0/24", "::1", "::/48"]),
        (S::LinkLocal, &["169.254.169.254", "fe80::1"]),
        (S::Shared, &["100.64.0.1", "100.127.255.255"]),
        (S::Multicast, &["224.0.0.1", "239.255.255.255", "ff02::1"]),
        (S::Documentation, &["192.0.2.1", "198.51.100.0/24", "203.0.113.255", "2001:db8::1", "3fff:fff::1"]),
        (
            S::Reserved,
            &[
                "0.0.0.0",
                "0.1.2.3",
                "192.0.0.8",
                "192.88.99.1",
                "198.18.0.1",
                "198.19.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "2001::1",
                "2002::1",
                "64:ff9b::808:808",
                "4000::1",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(whitelist_entry(text), Err(NetworkError::Special(range)), "{text}");
        }
    }
}

#[test]
fn a_proxy_for_sale_is_publicly_routable_or_in_a_demo_an_example() {
    let can_be = |text: &str, is_demo| possible_exit(text.parse().expect("an address"), is_demo).is_ok();
    for text in ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "198.20.0.1"] {
        assert!(can_be(text, false) && can_be(text, true), "{text}");
    }
    for text in ["198.18.0.1", "198.19.255.255", "192.0.2.1", "198.51.100.7", "203.0.113.7", "2001:db8::7"] {
        assert!(!can_be(text, false) && can_be(text, true), "{text}");
    }
    for text in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "fe80::1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "fd00::1",
        "100.64.0.1",
        "224.0.0.1",
        "ff02::1",
        "0.0.0.0",
        "::",
        "255.255.255.255",
        "168.63.129.16",
        "2002::1",
    ] {
        assert!(!can_be(text, false) && !can_be(text, true), "{text}");
    }
}

#[test]
fn addresses_next_to_special_purpose_ranges_are_public() {
    for text in [
        "9.255.255.255",
        "11.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "2000::1",
        "2001:200::1",
        "2001:db7::1",
        "2001:db9::1",
        "2003::1",
        "3ffe::1",
        "3fff:1000::",
    ] {
        assert_eq!(whitelist_entry(text).map(|network| network.is_single()), Ok(true), "{text}");
    }
}

#[test]
fn entries_are_normalised() {
    for (text, written) in [
        (" 8.8.8.8 ", "8.8.8.8"),
        ("8.8.8.8/32", "8.8.8.8"),
        ("8.8.8.8/25", "8.8.8.0/25"),
        ("8.8.8.200/25", "8.8.8.128/25"),
        ("::ffff:8.8.8.8", "8.8.8.8"),
        ("::ffff:8.8.8.8/120", "8.8.8.0/24"),
        ("2606:4700:0:0:0:0:0:1111", "2606:4700::1111"),
        ("2606:4700::1111/128", "2606:4700::1111"),
        ("2606:4700:1:2:3::/48", "2606:4700:1::/48"),
    ] {
        assert_eq!(whitelist_entry(text).map(|network| network.to_string()), Ok(written.into()), "{text}");
    }
}

#[test]
fn a_form_error_names_the_field() {
    let fields = |address: &str, label: &str| {
        let errors = validate_whitelist_entry(address, label).err().unwrap_or_default();
        errors.0.iter().map(|(field, rules)| format!("{field} {}", rules[0].rule)).collect::<Vec<_>>()
    };
    assert_eq!(fields(" ", "office"), ["Address required"]);
    assert_eq!(fields("10.0.0.1", &"密".repeat(41)), ["Address networkPrivate", "Label maxLength"]);
    assert_eq!(fields("8.8.8.8", &"密".repeat(40)), [""; 0]);
}

#[test]
fn an_ipv6_sender_is_a_64_and_an_ipv4_sender_an_address() {
    let key = |text: &str| sender_key(text.parse().expect("an address"));
    for (one, other, is_same) in [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("203.0.113.9", "203.0.113.10", false),
        ("203.0.113.9", "::ffff:203.0.113.9", true),
        ("::ffff:203.0.113.9", "::ffff:203.0.113.10", false),
    ] {
        assert_eq!(key(one) == key(other), is_same, "{one} {other}");
    }
    assert_eq!(key("::1"), "::/64");
}

#[test]
fn every_error_has_the_parameters_of_its_message() {
    let ranges = SpecialRange::ALL.iter().map(|range| NetworkError::Special(*range));
    let others = [NetworkError::Malformed, NetworkError::Prefix { max: 32 }, NetworkError::TooWide { min: 24 }];
    for error in ranges.chain(others) {
        let (rule, params) = error.rule();
        assert_eq!(params.iter().map(|(name, _)| *name).collect::<Vec<_>>(), rule.params(), "{rule}");
    }
}

fn any_network() -> impl Strategy<Value = Network> {
    let v4 = (any::<Ipv4Addr>(), 0..=32_u8).prop_map(|(address, prefix)| format!("{address}/{prefix}"));
    let v6 = (any::<Ipv6Addr>(), 0..=128_u8).prop_map(|(address, prefix)| format!("{address}/{prefix}"));
    prop_oneof![v4, v6].prop_map(|text| Network::parse(&text).expect("a network"))
}

proptest! {
    #[test]
    fn networks_round_trip(network in any_network()) {
        prop_assert_eq!(Network::parse(&network.to_string()), Ok(network));
        let json = serde_json::to_string(&network).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Network>(&json).expect("a network"), network);
    }

    #[test]
    fn any_typed_text_is_handled(text in "[0-9a-f:./ %x]{0,24}|\\PC{0,12}") {
        if let Ok(network) = whitelist_entry(&text) {
            prop_assert_eq!(whitelist_entry(&network.to_string()), Ok(network));
        }
    }

    #[test]
    fn a_network_contains_its_own_addresses_and_no_others(network in any_network(), v4 in any::<Ipv4Addr>(), v6 in any::<Ipv6Addr>()) {
        prop_assert!(network.contains(network.address()));
        prop_assert!(network.covers(network) && network.overlaps(network));
        for address in [IpAddr::from(v4), IpAddr::from(v6)] {
            prop_assert_eq!(network.contains(address), network.covers(Network::of(address)));
        }
        // Flipping the last bit of the prefix gives an address outside the network.
        if let (IpAddr::V4(address), 1..) = (network.address(), network.prefix()) {
            let neighbour = Ipv4Addr::from_bits(address.to_bits() ^ (1 << (32 - u32::from(network.prefix()))));
            prop_assert!(!network.contains(neighbour.into()));
            prop_assert!(network.contains(address.to_ipv6_mapped().into()));
        }
    }

    #[test]
    fn no_entry_overlaps_a_special_purpose_range(text in "(10|100|127|169|172|192|198|203|224)\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(/2[4-9])?") {
        if let Ok(network) = whitelist_entry(&text) {
            let IpAddr::V4(address) = network.address() else { panic!("IPv4") };
            prop_assert!(!address.is_private() && !address.is_loopback() && !address.is_link_local());
            prop_assert!(!address.is_multicast() && !address.is_documentation() && !address.is_broadcast());
        }
    }
}

#[test]
fn a_whitelist_is_bounded_by_its_entries_and_by_their_addresses() {
    let network = |text: &str| Network::parse(text).expect("a network");
    for (text, size) in [
        ("8.8.8.0/24", 256),
        ("8.8.8.0/25", 128),
        ("8.8.8.8", 1),
        ("2001:4860::/48", 256),
        ("2001:4860::/56", 1),
        ("2001:4860::8888", 1),
    ] {
        assert_eq!(network(text).whitelist_size(), size, "{text}");
    }
    let rule = |present: &[Network], added: &str, max_entries: usize| {
        let refused = check_whitelist_room(present, network(added), max_entries).err()?;
        Some(refused.0["Address"][0].rule)
    };
    let wide: Vec<Network> = (0..10).map(|third| network(&format!("8.8.{third}.0/24"))).collect();
    assert_eq!(rule(&wide[..9], "8.8.9.0/24", 100), None);
    assert_eq!(rule(&wide, "8.8.4.0/24", 100), Some(Rule::WhitelistRepeated));
    assert_eq!(rule(&wide, "9.9.9.9", 100), Some(Rule::WhitelistTooWide));
    assert_eq!(rule(&wide[..2], "9.9.9.9", 2), Some(Rule::WhitelistFull));
}
