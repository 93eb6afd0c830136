//! Inventory files: parses a line that describes a node to import.
use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::network::possible_exit;
use crate::place;
use crate::rule::Rule;
use crate::tier::Catalogue;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

/// The columns of a file, in the order in which `postern inventory export` writes them.
pub const COLUMNS: [&str; 11] =
    ["ip", "http_port", "socks5_port", "country", "city", "isp", "asn", "ver_str", "targets", "supplier", "cost"];
/// Optional columns.
pub const OPTIONAL_COLUMNS: [&str; 3] = ["targets", "supplier", "cost"];
pub const ISP_MAX_LENGTH: usize = 80;
pub const SUPPLIER_MAX_LENGTH: usize = 80;

/// A node as described by a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewNode {
    pub ip: IpAddr,
    pub http_port: u16,
    pub socks5_port: u16,
    pub country: String,
    pub city: String,
    pub isp: String,
    pub asn: u32,
    pub ver_str: String,
    pub node_type: u8,
    pub targets: Vec<String>,
    pub supplier: String,
    /// What the seller pays for the node, per 30 days.
    pub cost: Money,
}

/// The valid values: the shop's tiers, core's table of places, the shop's targets.
pub struct Known {
    node_types: HashMap<String, u8>,
    places: HashSet<(&'static str, &'static str)>,
    targets: HashSet<String>,
    is_demo: bool,
}

impl Known {
    /// A demo also accepts addresses of the example ranges.
    pub fn new(catalogue: &Catalogue, targets: impl IntoIterator<Item = String>, is_demo: bool) -> Known {
        Known {
            is_demo,
            node_types: catalogue.tiers.iter().map(|tier| (tier.ver_str.clone(), tier.node_type)).collect(),
            places: place::city_keys().collect(),
            targets: targets.into_iter().collect(),
        }
    }

    /// Parses a line; `cell` returns the cell of a column. Errors are reported under the column names.
    pub fn read<'c>(&self, cell: impl Fn(&str) -> &'c str) -> Result<NewNode, FieldErrors> {
        let mut errors = FieldErrors::default();
        let cell = |column: &str| cell(column).trim();
        let ip = number(&mut errors, "ip", Rule::Address, cell("ip")).map(|ip: IpAddr| ip.to_canonical());
        if ip.is_some_and(|ip| possible_exit(ip, self.is_demo).is_err()) {
            errors.add("ip", Rule::AddressNotPublic, &[]);
        }
        let mut port = |column| number(&mut errors, column, Rule::Port, cell(column)).filter(|port: &u16| *port > 0);
        let (http_port, socks5_port) = (port("http_port"), port("socks5_port"));
        for (column, port) in [("http_port", http_port), ("socks5_port", socks5_port)] {
            if port.is_none() && !errors.0.contains_key(column) {
                errors.add(column, Rule::Port, &[]);
            }
        }
        let (country, city) = (cell("country").to_uppercase(), cell("city").to_lowercase());
        if !place::is_country(&country) {
            errors.add("country", Rule::UnknownCountry, &[("Value", country.clone())]);
        } else if !self.places.contains(&(country.as_str(), city.as_str())) {
            errors.add("city", Rule::UnknownCity, &[("Value", city.clone())]);
        }
        let isp = cell("isp");
        if isp.is_empty() {
            errors.add("isp", Rule::Required, &[]);
        }
        for (column, text, max) in [("isp", isp, ISP_MAX_LENGTH), ("supplier", cell("supplier"), SUPPLIER_MAX_LENGTH)] {
            if text.chars().count() > max {
                errors.add(column, Rule::MaxLength, &[("Max", max.to_string())]);
            }
        }
        let asn_text = cell("asn");
        let asn = number(&mut errors, "asn", Rule::Asn, asn_text.strip_prefix("AS").unwrap_or(asn_text));
        let node_type = self.node_types.get(cell("ver_str")).copied();
        if node_type.is_none() {
            errors.add("ver_str", Rule::UnknownTier, &[]);
        }
        let targets: Vec<String> = cell("targets").split_whitespace().map(str::to_owned).collect();
        if let Some(unknown) = targets.iter().find(|target| !self.targets.contains(*target)) {
            errors.add("targets", Rule::UnknownTarget, &[("Value", unknown.clone())]);
        }
        let cost = match cell("cost") {
            "" => Some(Money::ZERO),
            text => Money::parse(text).ok().filter(|cost| !cost.is_negative()),
        };
        if cost.is_none() {
            errors.add("cost", Rule::Amount, &[]);
        }
        let read = (|| {
            Some(NewNode {
                ip: ip?,
                http_port: http_port?,
                socks5_port: socks5_port?,
                isp: isp.to_owned(),
                asn: asn?,
                ver_str: cell("ver_str").to_owned(),
                node_type: node_type?,
                supplier: cell("supplier").to_owned(),
                cost: cost?,
                country,
                city,
                targets,
            })
        })();
        match read {
            Some(node) if errors.is_empty() => Ok(node),
            _ => Err(errors),
        }
    }
}

fn number<T: std::str::FromStr>(errors: &mut FieldErrors, column: &str, rule: Rule, text: &str) -> Option<T> {
    let number = text.parse().ok();
    if number.is_none() {
        errors.add(column, if text.is_empty() { Rule::Required } else { rule }, &[]);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [&str; 11] = [
        "198.18.0.7",
        "8000",
        "1080",
        "us",
        "New-York",
        "Northlight Fiber",
        "AS64500",
        "shared ISP proxies plan",
        "shops social",
        "Acme",
        "1.20",
    ];

    fn read(changes: &[(&str, &str)]) -> Result<NewNode, FieldErrors> {
        read_in(true, changes)
    }

    fn read_in(is_demo: bool, changes: &[(&str, &str)]) -> Result<NewNode, FieldErrors> {
        let known = Known::new(&Catalogue::default(), ["shops".to_owned(), "social".to_owned()], is_demo);
        known.read(|column| {
            let changed = changes.iter().find(|(name, _)| *name == column).map(|(_, text)| *text);
            let index = COLUMNS.iter().position(|name| *name == column).expect("a column");
            changed.unwrap_or(LINE[index])
        })
    }

    #[test]
    fn a_line_is_parsed_regardless_of_the_case_of_its_places() {
        let node = read(&[]).expect("a node");
        assert_eq!((node.country.as_str(), node.city.as_str()), ("US", "new-york"));
        assert_eq!((node.asn, node.node_type, node.cost), (64_500, 2, Money::from_minor(120)));
        assert_eq!(node.targets, ["shops", "social"]);
        assert_eq!(read(&[("cost", ""), ("targets", "")]).map(|node| node.cost), Ok(Money::ZERO));
    }

    #[test]
    fn unroutable_addresses_are_rejected_and_mapped_ones_are_unmapped() {
        for ip in ["127.0.0.1", "169.254.169.254", "10.1.2.3", "::1", "::ffff:192.168.0.1", "224.0.0.1"] {
            for is_demo in [false, true] {
                let errors = read_in(is_demo, &[("ip", ip)]).expect_err("an error");
                assert_eq!(errors, FieldErrors::one("ip", Rule::AddressNotPublic, &[]), "{ip}");
            }
        }
        assert!(read_in(false, &[]).is_err(), "example addresses are for demos only");
        assert_eq!(read_in(false, &[("ip", "::ffff:8.8.8.8")]).map(|node| node.ip.to_string()), Ok("8.8.8.8".into()));
    }

    #[test]
    fn all_errors_of_a_line_are_reported_at_their_columns() {
        for (column, text, rule) in [
            ("ip", "198.18.0", "address"),
            ("ip", "", "required"),
            ("ip", "127.0.0.1", "addressNotPublic"),
            ("http_port", "0", "port"),
            ("http_port", "65536", "port"),
            ("socks5_port", "", "required"),
            ("country", "XX", "unknownCountry"),
            ("city", "atlantis", "unknownCity"),
            ("city", "london", "unknownCity"),
            ("isp", " ", "required"),
            ("asn", "ASx", "asn"),
            ("ver_str", "gold", "unknownTier"),
            ("targets", "shops games", "unknownTarget"),
            ("cost", "-1", "amount"),
        ] {
            let errors = read(&[(column, text)]).expect_err("an error");
            let found: Vec<_> =
                errors.0.iter().map(|(field, broken)| (field.as_str(), broken[0].rule.as_str())).collect();
            assert_eq!(found, [(column, rule)], "{text}");
        }
        let all = read(&[("ip", "x"), ("country", "XX"), ("cost", "x")]).expect_err("errors");
        assert_eq!(all.0.len(), 3);
    }
}
