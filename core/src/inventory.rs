//! Inventory files: parses a line that describes a node to import.
use crate::checks::Checks;
use crate::csv::{Columns, Row};
use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::network::possible_exit;
use crate::place::{find_city, find_country, similar_city};
use crate::rule::Rule;
use crate::tier::{Catalogue, Tier};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

/// The columns of a file, in the order in which `postern inventory export` writes them. `state` is exported only, and ignored.
pub const COLUMNS: [&str; 13] = [
    "ip",
    "http_port",
    "socks5_port",
    "country",
    "city",
    "isp",
    "asn",
    "ver_str",
    "targets",
    "supplier",
    "cost",
    "server",
    "state",
];

pub const FILE: Columns =
    Columns { known: &COLUMNS, required: &["ip", "http_port", "country", "city", "isp", "asn", "ver_str"] };
/// The maximum size of an uploaded file, some 80,000 nodes. Larger ones are imported on the server.
pub const UPLOAD_MAX_BYTES: usize = 8 << 20;
/// The maximum number of wrong cells that an upload's answer lists.
pub const MAX_WRONG_CELLS: usize = 200;
/// The maximum number of nodes that are changed together.
pub const MAX_CHANGED_NODES: usize = 1_000;
pub const ISP_MAX_LENGTH: usize = 80;
pub const SUPPLIER_MAX_LENGTH: usize = 80;

/// A node as described by a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewNode {
    pub ip: IpAddr,
    pub http_port: u16,
    /// None for a node with HTTP alone.
    pub socks5_port: Option<u16>,
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
    /// The proxy server that alone carries the node; none if any server for static proxies may.
    pub server_id: Option<i64>,
}

/// The pace of sales is measured over this many days.
pub const SALES_DAYS: i64 = 30;

/// A stock that lasts fewer days is short.
pub const SHORT_STOCK_DAYS: i64 = 7;

/// For how many days a stock lasts at the pace of the last `SALES_DAYS` days; `None` if nothing was sold.
pub fn days_of_stock(available: i64, sold: i64) -> Option<i64> {
    (sold > 0).then(|| available.saturating_mul(SALES_DAYS) / sold)
}

/// The valid values: the shop's tiers, targets and servers.
pub struct Known {
    tiers: Vec<Tier>,
    targets: HashSet<String>,
    /// Ids of the proxy servers for static proxies, by name.
    servers: HashMap<String, i64>,
    is_demo: bool,
}

impl Known {
    /// A demo also accepts addresses of the example ranges.
    pub fn new(
        catalogue: &Catalogue,
        targets: impl IntoIterator<Item = String>,
        servers: impl IntoIterator<Item = (String, i64)>,
        is_demo: bool,
    ) -> Known {
        let (targets, servers) = (targets.into_iter().collect(), servers.into_iter().collect());
        Known { is_demo, tiers: catalogue.tiers.clone(), targets, servers }
    }

    /// Parses a row, in the spellings of suppliers too. Errors are reported under the column names.
    pub fn read(&self, row: &Row) -> Result<NewNode, FieldErrors> {
        let mut checks = Checks::default();
        let cell = |column: &str| row.cell(&FILE, column);
        let isp = checks.required_line("isp", cell("isp"), ISP_MAX_LENGTH);
        let supplier = checks.line("supplier", cell("supplier"), SUPPLIER_MAX_LENGTH);
        let mut errors = checks.0;
        let ip = number(&mut errors, "ip", Rule::Address, cell("ip")).map(|ip: IpAddr| ip.to_canonical());
        if ip.is_some_and(|ip| possible_exit(ip, self.is_demo).is_err()) {
            errors.add("ip", Rule::AddressNotPublic, &[]);
        }
        let http_port = port(&mut errors, "http_port", cell("http_port"));
        let has_socks5 = !cell("socks5_port").is_empty();
        let socks5_port = has_socks5.then(|| port(&mut errors, "socks5_port", cell("socks5_port"))).flatten();
        let place = read_place((cell("country"), cell("city")), ("country", "city"), &mut errors);
        let asn = number(&mut errors, "asn", Rule::Asn, without_as(cell("asn")));
        let tier = self.tier(cell("ver_str"));
        if tier.is_none() {
            errors.add("ver_str", Rule::UnknownTier, &[]);
        }
        let named = cell("targets").split(|letter: char| letter.is_whitespace() || ",;|".contains(letter));
        let targets: Vec<String> = named.filter(|target| !target.is_empty()).map(str::to_owned).collect();
        if let Some(unknown) = targets.iter().find(|target| !self.targets.contains(*target)) {
            errors.add("targets", Rule::UnknownTarget, &[("Value", unknown.clone())]);
        }
        let cost = read_cost(&row.number(&FILE, "cost"));
        if cost.is_none() {
            errors.add("cost", Rule::Amount, &[]);
        }
        let server_id = self.servers.get(cell("server")).copied();
        if server_id.is_none() && !cell("server").is_empty() {
            errors.add("server", Rule::NoSuchServer, &[("Value", cell("server").to_owned())]);
        }
        let read = (|| {
            let (country, city) = place?;
            let tier = tier?;
            Some(NewNode {
                ip: ip?,
                http_port: http_port?,
                socks5_port,
                isp,
                asn: asn?,
                ver_str: tier.ver_str.clone(),
                node_type: tier.node_type,
                supplier,
                cost: cost?,
                server_id,
                country: country.to_owned(),
                city: city.to_owned(),
                targets,
            })
        })();
        match read {
            Some(node) if errors.is_empty() => Ok(node),
            _ => Err(errors),
        }
    }

    /// The tier of this key, or of this name in either language.
    fn tier(&self, spelling: &str) -> Option<&Tier> {
        let is_name = |name: &str| name.to_lowercase() == spelling.to_lowercase();
        let by_key = self.tiers.iter().find(|tier| tier.ver_str == spelling);
        let mut by_name = self
            .tiers
            .iter()
            .filter(|tier| is_name(&tier.ver_str) || is_name(&tier.label_en) || is_name(&tier.label_zh));
        by_key.or_else(|| by_name.next().filter(|_| by_name.next().is_none()))
    }
}

/// The country and the city, whose keys are those of the table of places. Errors are reported under these names.
pub(crate) fn read_place(
    (country, city): (&str, &str),
    (country_name, city_name): (&str, &str),
    errors: &mut FieldErrors,
) -> Option<(&'static str, &'static str)> {
    let Some(country) = find_country(country) else {
        errors.add(country_name, Rule::UnknownCountry, &[("Value", country.to_owned())]);
        return None;
    };
    match find_city(city) {
        Some((its, city)) if its == country => return Some((country, city)),
        Some((its, _)) => {
            errors.add(city_name, Rule::CityOfOtherCountry, &[("Value", city.to_owned()), ("Country", its.to_owned())]);
        }
        None => match similar_city(country, city) {
            Some(similar) => {
                errors.add(
                    city_name,
                    Rule::UnknownCitySimilar,
                    &[("Value", city.to_owned()), ("Similar", similar.to_owned())],
                );
            }
            None => errors.add(city_name, Rule::UnknownCity, &[("Value", city.to_owned())]),
        },
    }
    None
}

/// The digits of `AS64500`, `AS 64500` or `ASN64500`.
pub(crate) fn without_as(asn: &str) -> &str {
    let rest = asn.trim_start_matches(['a', 'A', 's', 'S', 'n', 'N', ' ', '-', ':']);
    let word = asn[..asn.len() - rest.len()].trim_end_matches([' ', '-', ':']);
    if ["", "as", "asn"].contains(&word.to_ascii_lowercase().as_str()) { rest } else { asn }
}

/// An amount, perhaps with the dollar's sign or code; 0 if empty.
pub(crate) fn read_cost(text: &str) -> Option<Money> {
    if text.is_empty() {
        return Some(Money::ZERO);
    }
    let amount = ["USD", "US$", "$"].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    let amount = ["USD", "$"].iter().find_map(|sign| amount.strip_suffix(sign)).unwrap_or(amount);
    Money::read(amount).ok().filter(|cost| !cost.is_negative())
}

pub(crate) fn port(errors: &mut FieldErrors, column: &str, text: &str) -> Option<u16> {
    let read: Option<u16> = number(errors, column, Rule::Port, text);
    if read == Some(0) {
        errors.add(column, Rule::Port, &[]);
    }
    read.filter(|port| *port > 0)
}

pub(crate) fn number<T: std::str::FromStr>(
    errors: &mut FieldErrors,
    column: &str,
    rule: Rule,
    text: &str,
) -> Option<T> {
    let number = text.parse().ok();
    if number.is_none() {
        errors.add(column, if text.is_empty() { Rule::Required } else { rule }, &[]);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rule_keys;
    use crate::csv::CsvReader;

    const LINE: [&str; 12] = [
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
        "gate-1",
    ];

    fn read(changes: &[(&str, &str)]) -> Result<NewNode, FieldErrors> {
        read_in(true, changes)
    }

    fn read_in(is_demo: bool, changes: &[(&str, &str)]) -> Result<NewNode, FieldErrors> {
        let known = Known::new(
            &Catalogue::default(),
            ["shops".to_owned(), "social".to_owned()],
            [("gate-1".to_owned(), 7)],
            is_demo,
        );
        let changed = |(column, text): (&&str, &&'static str)| {
            let change = changes.iter().find(|(name, _)| name == column).map(|(_, text)| (*text).to_owned());
            change.unwrap_or_else(|| (*text).to_owned())
        };
        let cells: Vec<String> = COLUMNS.iter().zip(&LINE).map(changed).collect();
        let mut reader = CsvReader::new(FILE);
        reader.read(&COLUMNS.join("\t"));
        known.read(&reader.read(&cells.join("\t")).expect("a row").expect("a row"))
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
            ("http_port", "", "required"),
            ("socks5_port", "0", "port"),
            ("socks5_port", "x", "port"),
            ("country", "XX", "unknownCountry"),
            ("country", "", "unknownCountry"),
            ("city", "shangri-la", "unknownCity"),
            ("city", "", "unknownCity"),
            ("city", "london", "cityOfOtherCountry"),
            ("city", "Chicgo", "unknownCitySimilar"),
            ("isp", " ", "required"),
            ("isp", "North\u{202e}light", "invisibleCharacters"),
            ("isp", "North\u{7}light", "invisibleCharacters"),
            ("isp", "North\u{200b}light", "invisibleCharacters"),
            ("isp", "North\u{fffd}", "brokenCharacter"),
            ("isp", &"n".repeat(81), "maxLength"),
            ("supplier", "Ac\u{202e}me", "invisibleCharacters"),
            ("asn", "ASx", "asn"),
            ("asn", "NAS 64500", "asn"),
            ("asn", "AS 64500 Acme", "asn"),
            ("ver_str", "gold", "unknownTier"),
            ("targets", "shops games", "unknownTarget"),
            ("cost", "-1", "amount"),
            ("cost", "$", "amount"),
            ("server", "gate-2", "noSuchServer"),
            ("server", "Gate-1", "noSuchServer"),
        ] {
            let errors = read(&[(column, text)]).expect_err(text);
            assert_eq!(rule_keys(errors), [format!("{column}:{rule}")], "{text}");
        }
        let all = read(&[("ip", "x"), ("country", "XX"), ("cost", "x")]).expect_err("errors");
        assert_eq!(all.0.len(), 3);
    }

    #[test]
    fn a_node_may_have_no_socks5_and_no_server() {
        let node = read(&[]).expect("a node");
        assert_eq!((node.socks5_port, node.server_id), (Some(1080), Some(7)));
        let node = read(&[("socks5_port", ""), ("server", "")]).expect("a node");
        assert_eq!((node.socks5_port, node.server_id), (None, None));
    }

    #[test]
    fn a_stock_lasts_as_long_as_its_sales_allow() {
        for (available, sold, days) in [(10, 0, None), (10, 30, Some(10)), (0, 5, Some(0)), (7, 60, Some(3))] {
            assert_eq!(days_of_stock(available, sold), days);
        }
    }

    #[test]
    fn the_spellings_of_suppliers_are_read() {
        for (column, text) in [
            ("country", "US"),
            ("country", "USA"),
            ("country", "usa"),
            ("country", "U.S."),
            ("country", "United States"),
            ("country", "united states of america"),
            ("country", "美国"),
            ("city", "new-york"),
            ("city", "New York"),
            ("city", "NEW YORK"),
            ("city", "new_york"),
            ("city", "New York City"),
            ("city", "NYC"),
            ("city", "纽约"),
            ("asn", "64500"),
            ("asn", "as64500"),
            ("asn", "AS 64500"),
            ("asn", "ASN64500"),
            ("asn", "ASN: 64500"),
            ("ver_str", "Shared ISP Proxies Plan"),
            ("ver_str", "Regular"),
            ("ver_str", "普通"),
            ("targets", "shops,social"),
            ("targets", "shops; social"),
            ("targets", "shops|social"),
            ("cost", "1.2"),
            ("cost", "1,20"),
            ("cost", "$1.20"),
            ("cost", "1.20 USD"),
            ("cost", "US$1.20"),
            ("cost", "USD 1.20"),
        ] {
            assert_eq!(read(&[(column, text)]), read(&[]), "{column} {text}");
        }
        for (country, city, place) in [
            ("UK", "London", ("GB", "london")),
            ("Great Britain", "london", ("GB", "london")),
            ("GBR", "Manchester", ("GB", "manchester")),
            ("Deutschland", "Frankfurt a.M.", ("DE", "frankfurt")),
            ("Germany", "Frankfurt am Main", ("DE", "frankfurt")),
            ("DEU", "München", ("DE", "munich")),
            ("BR", "Sao Paulo", ("BR", "sao-paulo")),
            ("Brazil", "São Paulo", ("BR", "sao-paulo")),
            ("KOR", "Seoul", ("KR", "seoul")),
            ("Korea, Republic of", "Seoul", ("KR", "seoul")),
            ("Viet Nam", "Ho Chi Minh", ("VN", "ho-chi-minh-city")),
            ("Czech Republic", "Praha", ("CZ", "prague")),
            ("Turkey", "İstanbul", ("TR", "istanbul")),
            ("Türkiye", "Istanbul", ("TR", "istanbul")),
            ("UAE", "Dubai", ("AE", "dubai")),
            ("The Netherlands", "Amsterdam", ("NL", "amsterdam")),
            ("HKG", "Hong Kong", ("HK", "hong-kong")),
            ("日本", "东京", ("JP", "tokyo")),
            ("JPN", "Tōkyō", ("JP", "tokyo")),
            ("Poland", "Warszawa", ("PL", "warsaw")),
            ("Austria", "Wien", ("AT", "vienna")),
            ("Ukraine", "Kiev", ("UA", "kyiv")),
            ("India", "Bengaluru", ("IN", "bangalore")),
            ("MEX", "Ciudad de México", ("MX", "mexico-city")),
        ] {
            let node = read(&[("country", country), ("city", city)]);
            let found = node.as_ref().map_or(("", ""), |node| (node.country.as_str(), node.city.as_str()));
            assert_eq!(found, place, "{country} {city}");
        }
    }
}
