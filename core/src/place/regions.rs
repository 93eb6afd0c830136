//! Regions of countries: the continents of Unicode CLDR, with Central America and the Caribbean in North America, and islands with research
//! stations in the nearest region.
use crate::wire_enum::wire_enum;

wire_enum! {
    /// A region of the world, in the order in which catalogues list them.
    Region {
        NorthAmerica = "north_america",
        Europe = "europe",
        Asia = "asia",
        SouthAmerica = "south_america",
        Oceania = "oceania",
        Africa = "africa",
    }
}

const COUNTRIES: [(Region, &str); 6] = [
    (
        Region::NorthAmerica,
        "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI",
    ),
    (
        Region::Europe,
        "AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT \
         RO RS RU SE SI SJ SK SM UA VA",
    ),
    (
        Region::Asia,
        "AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG \
         SY TH TJ TL TM TR TW UZ VN YE",
    ),
    (Region::SouthAmerica, "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE"),
    (Region::Oceania, "AQ AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS"),
    (
        Region::Africa,
        "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW \
         SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW",
    ),
];

/// The region of a country by its two-letter code.
///
/// ```
/// use postern_core::place::{Region, region_of};
/// assert_eq!(region_of("JP"), Some(Region::Asia));
/// assert_eq!(region_of("QX"), None);
/// ```
pub fn region_of(country: &str) -> Option<Region> {
    let lists = |codes: &&str| codes.split(' ').any(|code| code == country);
    COUNTRIES.iter().find(|(_, codes)| lists(codes)).map(|(region, _)| *region)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::country_names;
    use std::collections::BTreeSet;

    #[test]
    fn every_country_is_in_exactly_one_region() {
        let listed: Vec<&str> = COUNTRIES.iter().flat_map(|(_, codes)| codes.split_whitespace()).collect();
        let known: BTreeSet<&str> = country_names().map(|(code, _)| code).collect();
        assert_eq!(listed.len(), known.len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), known);
        assert!(country_names().all(|(code, _)| region_of(code).is_some()));
        assert_eq!(COUNTRIES.map(|(region, _)| region), Region::ALL);
    }
}
