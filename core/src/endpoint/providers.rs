//! The user name, password and host name grammars of other shops, one entry each, from their public documentation.
use serde::{Deserialize, Serialize};

/// What a key of another shop's grammar means in this shop's.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Meaning {
    Name,
    /// A two-letter code, an English name, or a word for "any".
    Country,
    State,
    City,
    /// A country, optionally with a city or with a state and a city: `nl_amsterdam`, `us_alabama_birmingham`.
    Place,
    Session,
    /// A session that fails rather than change its exit. This shop's sessions keep their exit only if possible.
    StrictSession,
    Ttl(Unit),
    /// This shop has no equivalent.
    Nothing,
}

/// The unit of a session duration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Unit {
    Minutes,
    Seconds,
    /// Given by the letter after the number: `30s`, `10m`, `2h`, `7d`.
    Letter,
}

/// How keys and values are arranged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Style {
    /// Keys and values alternate, all separated by the same character: `country-us-city-berlin`.
    Chain(char),
    /// The first character separates pairs, and the second separates key and value: `_country-us_city-berlin`.
    Pairs(char, char),
    /// Countries, numeric sessions and `city_…`, without keys: `us-1234`.
    Bare(char),
}

/// Where the parameters are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Carrier {
    UserName,
    Password,
}

#[derive(Debug)]
pub(super) struct Grammar {
    pub key: &'static str,
    pub name: &'static str,
    /// Suffixes of its host names.
    pub hosts: &'static [&'static str],
    /// The suffix of host names whose first label holds parameters.
    pub label_host: Option<&'static str>,
    /// Prefixes of the text with the parameters, by which the shop is recognised if its host is not.
    pub begins: &'static [&'static str],
    /// Substrings that only this shop uses.
    pub contains: &'static [&'static str],
    pub carrier: Carrier,
    pub style: Style,
    /// Words at the start without a meaning.
    pub lead: &'static [&'static str],
    pub keys: &'static [(&'static str, Meaning)],
    pub example: &'static str,
}

/// A shop whose lines can be converted.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Dialect {
    /// The key that identifies it in a conversion.
    pub key: String,
    /// The shop's name.
    pub name: String,
    /// An example line.
    pub example: String,
}

/// Defaults for the entries.
const PLAIN: Grammar = Grammar {
    key: "",
    name: "",
    hosts: &[],
    label_host: None,
    begins: &[],
    contains: &[],
    carrier: Carrier::UserName,
    style: Style::Chain('-'),
    lead: &[],
    keys: &[],
    example: "",
};

pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar {
        key: "oxylabs",
        name: "Oxylabs",
        hosts: &["oxylabs.io"],
        label_host: Some("bc.pr.oxylabs.io"),
        begins: &["customer-"],
        keys: &[
            ("customer", Meaning::Name),
            ("user", Meaning::Name),
            ("cc", Meaning::Country),
            ("st", Meaning::State),
            ("city", Meaning::City),
            ("sessid", Meaning::Session),
            ("sessid_oneip", Meaning::StrictSession),
            ("sesstime", Meaning::Ttl(Unit::Minutes)),
            ("asn", Meaning::Nothing),
        ],
        example: "customer-ann-cc-US-city-new_york-sessid-abcde12345-sesstime-5:secret@pr.oxylabs.io:7777",
        ..PLAIN
    },
    Grammar {
        key: "bright_data",
        name: "Bright Data",
        hosts: &["superproxy.io", "lum-superproxy.io", "brightdata.com"],
        begins: &["brd-customer-", "lum-customer-"],
        lead: &["brd", "lum"],
        keys: &[
            ("customer", Meaning::Name),
            ("zone", Meaning::Nothing),
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
            ("zip", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("carrier", Meaning::Nothing),
            ("os", Meaning::Nothing),
            ("ip", Meaning::Nothing),
            ("gip", Meaning::Nothing),
            ("dns", Meaning::Nothing),
            ("route_err", Meaning::Nothing),
            ("c_tag", Meaning::Nothing),
        ],
        example: "brd-customer-hl_ann-zone-residential-country-us-state-ny-city-newyork-session-rand39:secret@brd.superproxy.io:33335",
        ..PLAIN
    },
    Grammar {
        key: "iproyal",
        name: "IPRoyal",
        hosts: &["iproyal.com"],
        carrier: Carrier::Password,
        style: Style::Pairs('_', '-'),
        keys: &[
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("region", Meaning::Nothing),
            ("isp", Meaning::Nothing),
            ("session", Meaning::Session),
            ("lifetime", Meaning::Ttl(Unit::Letter)),
            ("streaming", Meaning::Nothing),
            ("skipispstatic", Meaning::Nothing),
            ("skipipslist", Meaning::Nothing),
            ("forcerandom", Meaning::Nothing),
        ],
        example: "ann:secret_country-br_session-sgn34f3e_lifetime-10m@geo.iproyal.com:12321",
        ..PLAIN
    },
    Grammar {
        key: "decodo",
        name: "Decodo (Smartproxy)",
        hosts: &["decodo.com", "smartproxy.com"],
        contains: &["-sessionduration-"],
        keys: &[
            ("user", Meaning::Name),
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
            ("sessionduration", Meaning::Ttl(Unit::Minutes)),
            ("continent", Meaning::Nothing),
            ("zip", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("os", Meaning::Nothing),
        ],
        example: "user-ann-country-us-city-new_york-session-account-1-sessionduration-30:secret@gate.decodo.com:7000",
        ..PLAIN
    },
    Grammar {
        key: "webshare",
        name: "Webshare",
        hosts: &["webshare.io"],
        style: Style::Bare('-'),
        example: "ann-us-city_los_angeles-1234:secret@p.webshare.io:80",
        ..PLAIN
    },
    Grammar {
        key: "soax",
        name: "SOAX",
        hosts: &["soax.com"],
        begins: &["package-"],
        keys: &[
            ("package", Meaning::Name),
            ("country", Meaning::Country),
            ("region", Meaning::State),
            ("city", Meaning::City),
            ("sessionid", Meaning::Session),
            ("sessionlength", Meaning::Ttl(Unit::Seconds)),
            ("isp", Meaning::Nothing),
            ("opt", Meaning::Nothing),
        ],
        example: "package-1234-country-us-region-new+york-city-new+york-sessionid-ab12-sessionlength-300:secret@proxy.soax.com:5000",
        ..PLAIN
    },
    Grammar {
        key: "netnut",
        name: "NetNut",
        hosts: &["netnut.net", "netnut.io"],
        keys: &[
            ("res", Meaning::Country),
            ("res_sc", Meaning::Place),
            ("dc", Meaning::Country),
            ("mob", Meaning::Country),
            ("stc", Meaning::Country),
            ("sid", Meaning::Session),
            ("nnid", Meaning::Session),
        ],
        example: "ann-res_sc-us_alabama_birmingham-sid-917244575:secret@gw.netnut.net:5959",
        ..PLAIN
    },
    Grammar {
        key: "thordata",
        name: "Thordata",
        hosts: &["thordata.com", "thordata.net", "thordata.online"],
        begins: &["td-customer-"],
        lead: &["td"],
        keys: &[
            ("user", Meaning::Name),
            ("customer", Meaning::Name),
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("sessid", Meaning::Session),
            ("sesstime", Meaning::Ttl(Unit::Minutes)),
            ("continent", Meaning::Nothing),
            ("asn", Meaning::Nothing),
        ],
        example: "user-ann-country-de-sessid-a234234-sesstime-15:secret@gate.thordata.net:9999",
        ..PLAIN
    },
    Grammar {
        key: "geonode",
        name: "Geonode",
        hosts: &["geonode.io", "geonode.com"],
        begins: &["geonode_"],
        keys: &[
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
            ("lifetime", Meaning::Ttl(Unit::Minutes)),
            ("type", Meaning::Nothing),
            ("isp", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("limit", Meaning::Nothing),
            ("strict", Meaning::Nothing),
        ],
        example: "geonode_ann-type-residential-country-fr-city-paris-session-xyz-lifetime-10:secret@proxy.geonode.io:9000",
        ..PLAIN
    },
    Grammar {
        key: "evomi",
        name: "Evomi",
        hosts: &["evomi.com"],
        carrier: Carrier::Password,
        style: Style::Pairs('_', '-'),
        keys: &[
            ("country", Meaning::Country),
            ("region", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
            ("hardsession", Meaning::StrictSession),
            ("lifetime", Meaning::Ttl(Unit::Minutes)),
            ("continent", Meaning::Nothing),
            ("isp", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("zip", Meaning::Nothing),
            ("device", Meaning::Nothing),
            ("latency", Meaning::Nothing),
            ("fraudscore", Meaning::Nothing),
            ("mode", Meaning::Nothing),
        ],
        example: "ann:secret_country-DE_asn-AS3320_session-abc12345_lifetime-30@rp.evomi.com:1000",
        ..PLAIN
    },
    Grammar {
        key: "massive",
        name: "Massive",
        hosts: &["joinmassive.com"],
        keys: &[
            ("country", Meaning::Country),
            ("subdivision", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
            ("zipcode", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("type", Meaning::Nothing),
        ],
        example: "ann-country-us-session-37:secret@network.joinmassive.com:65534",
        ..PLAIN
    },
    Grammar {
        key: "922proxy",
        name: "922 Proxy",
        hosts: &["922proxy.com", "922s5.com"],
        keys: &[
            ("zone", Meaning::Nothing),
            ("region", Meaning::Country),
            ("st", Meaning::State),
            ("city", Meaning::City),
            ("sessid", Meaning::Session),
            ("sesstime", Meaning::Ttl(Unit::Minutes)),
            ("asn", Meaning::Nothing),
        ],
        example: "ann-zone-custom-region-de-sessid-abcde12345-sesstime-7:secret@na.922proxy.com:6200",
        ..PLAIN
    },
    Grammar {
        key: "nimble",
        name: "Nimble",
        hosts: &["nimbleway.com"],
        begins: &["account-"],
        keys: &[
            ("account", Meaning::Name),
            ("pipeline", Meaning::Nothing),
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("session", Meaning::Session),
        ],
        example: "account-ann-pipeline-main-country-US-state-CA-session-a1b2:secret@ip.nimbleway.com:7000",
        ..PLAIN
    },
    Grammar {
        key: "proxy_seller",
        name: "Proxy-Seller",
        hosts: &["proxy-seller.com"],
        style: Style::Chain('_'),
        keys: &[
            ("c", Meaning::Country),
            ("sd", Meaning::Nothing),
            ("city", Meaning::City),
            ("isp", Meaning::Nothing),
            ("asn", Meaning::Nothing),
            ("zip", Meaning::Nothing),
            ("s", Meaning::Session),
            ("ttl", Meaning::Ttl(Unit::Letter)),
        ],
        example: "ann_c_US_city_New-York_s_100_ttl_30s:secret@res.proxy-seller.com:10000",
        ..PLAIN
    },
    Grammar {
        key: "illusory",
        name: "Illusory",
        hosts: &["illusory.io"],
        keys: &[
            ("country", Meaning::Country),
            ("state", Meaning::State),
            ("city", Meaning::City),
            ("asn", Meaning::Nothing),
            ("session", Meaning::Session),
            ("sesstime", Meaning::Ttl(Unit::Minutes)),
        ],
        example: "ann-country-gb-city-london-session-x1-sesstime-60:secret@proxy.illusory.io:1080",
        ..PLAIN
    },
    Grammar {
        key: "packetstream",
        name: "PacketStream",
        hosts: &["packetstream.io"],
        carrier: Carrier::Password,
        style: Style::Pairs('_', '-'),
        keys: &[("country", Meaning::Country), ("session", Meaning::Session)],
        example: "ann:secret_country-UnitedStates_session-AbC12345@proxy.packetstream.io:31112",
        ..PLAIN
    },
];
