//! How people and suppliers spell countries and cities.
use crate::place::{cities, countries};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Common names that are neither the code nor the name in the table, as `place_part` writes them.
const COUNTRY_ALIASES: [(&str, &str); 41] = [
    ("america", "US"),
    ("u_s", "US"),
    ("u_s_a", "US"),
    ("united_states_of_america", "US"),
    ("uk", "GB"),
    ("u_k", "GB"),
    ("britain", "GB"),
    ("great_britain", "GB"),
    ("england", "GB"),
    ("united_kingdom_of_great_britain_and_northern_ireland", "GB"),
    ("korea", "KR"),
    ("korea_south", "KR"),
    ("republic_of_korea", "KR"),
    ("korea_republic_of", "KR"),
    ("russian_federation", "RU"),
    ("viet_nam", "VN"),
    ("czech_republic", "CZ"),
    ("turkey", "TR"),
    ("uae", "AE"),
    ("emirates", "AE"),
    ("holland", "NL"),
    ("the_netherlands", "NL"),
    ("hong_kong_sar", "HK"),
    ("macau", "MO"),
    ("taiwan_province_of_china", "TW"),
    ("mainland_china", "CN"),
    ("moldova_republic_of", "MD"),
    ("iran_islamic_republic_of", "IR"),
    ("bolivia_plurinational_state_of", "BO"),
    ("venezuela_bolivarian_republic_of", "VE"),
    ("macedonia", "MK"),
    ("swaziland", "SZ"),
    ("ivory_coast", "CI"),
    ("burma", "MM"),
    ("deutschland", "DE"),
    ("osterreich", "AT"),
    ("schweiz", "CH"),
    ("espana", "ES"),
    ("italia", "IT"),
    ("brasil", "BR"),
    ("polska", "PL"),
];

/// Common names of cities that differ from the table's, as `place_part` writes them.
const CITY_ALIASES: [(&str, &str); 26] = [
    ("new_york_city", "new-york"),
    ("nyc", "new-york"),
    ("la", "los-angeles"),
    ("sf", "san-francisco"),
    ("frankfurt_am_main", "frankfurt"),
    ("frankfurt_a_m", "frankfurt"),
    ("muenchen", "munich"),
    ("munchen", "munich"),
    ("duesseldorf", "dusseldorf"),
    ("wien", "vienna"),
    ("praha", "prague"),
    ("warszawa", "warsaw"),
    ("kobenhavn", "copenhagen"),
    ("lisboa", "lisbon"),
    ("milano", "milan"),
    ("roma", "rome"),
    ("geneve", "geneva"),
    ("bruxelles", "brussels"),
    ("kiev", "kyiv"),
    ("bengaluru", "bangalore"),
    ("new_delhi", "delhi"),
    ("bombay", "mumbai"),
    ("ciudad_de_mexico", "mexico-city"),
    ("cdmx", "mexico-city"),
    ("saigon", "ho-chi-minh-city"),
    ("ho_chi_minh", "ho-chi-minh-city"),
];

/// The code of a country by its code of two or three letters, or its name in English or Chinese.
///
/// ```
/// use postern_core::place::find_country;
/// assert_eq!([find_country("usa"), find_country("UK"), find_country("德国")], [Some("US"), Some("GB"), Some("DE")]);
/// ```
pub fn find_country(spelling: &str) -> Option<&'static str> {
    static NAMES: OnceLock<BTreeMap<String, &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let rows = countries::CODE.cells().zip(countries::CODE3.cells());
        let names = countries::NAME_EN.cells().zip(countries::NAME_ZH.cells());
        let names = rows.zip(names).flat_map(|((code, code3), (english, chinese))| {
            [normal(code), normal(code3), normal(english), chinese.to_owned()].map(|name| (name, code))
        });
        names.chain(COUNTRY_ALIASES.map(|(alias, code)| (alias.to_owned(), code))).collect()
    });
    find(names, spelling)
}

/// The country and the key of a city by its key, or its name in English or Chinese, ignoring accents, case and word separators.
///
/// ```
/// use postern_core::place::find_city;
/// assert_eq!(find_city("New York"), Some(("US", "new-york")));
/// assert_eq!(find_city("são paulo"), Some(("BR", "sao-paulo")));
/// ```
pub fn find_city(spelling: &str) -> Option<(&'static str, &'static str)> {
    static NAMES: OnceLock<BTreeMap<String, (&'static str, &'static str)>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let names = cities::NAME_EN.cells().zip(cities::NAME_ZH.cells());
        let named = city_keys().zip(names).flat_map(|(city, (english, chinese))| {
            [normal(city.1), normal(english), chinese.to_owned()].map(|name| (name, city))
        });
        let aliases = CITY_ALIASES
            .iter()
            .filter_map(|(alias, key)| Some(((*alias).to_owned(), city_keys().find(|(_, known)| known == key)?)));
        named.chain(aliases).collect()
    });
    find(names, spelling)
}

fn city_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    cities::COUNTRY.cells().zip(cities::KEY.cells())
}

fn find<T: Copy>(names: &BTreeMap<String, T>, spelling: &str) -> Option<T> {
    let spelling = spelling.trim();
    names.get(spelling).or_else(|| names.get(&normal(spelling))).copied()
}

/// A name as it is compared: never empty.
fn normal(name: &str) -> String {
    let part = place_part(&name.replace('&', "and"));
    if part.is_empty() { name.to_owned() } else { part }
}

/// The city of this country whose key differs from the spelling by at most two letters, if there is one only.
pub fn similar_city(country: &str, spelling: &str) -> Option<&'static str> {
    let part = place_part(spelling);
    let is_near = |key: &str| distance(&place_part(key), &part) <= 2;
    let mut near = city_keys().filter(|(its, key)| *its == country && is_near(key)).map(|(_, key)| key);
    near.next().filter(|_| near.next().is_none())
}

/// The number of letters to insert, remove or replace to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.bytes().enumerate() {
        let mut before = row[0];
        row[0] = index + 1;
        for (column, with) in other.bytes().enumerate() {
            let replaced = before + usize::from(letter != with);
            before = row[column + 1];
            row[column + 1] = replaced.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

/// A place name in the form for user names: lower case, without accents, words separated by one `_`. Empty if the name has no Latin letters
/// or digits.
///
/// ```
/// use postern_core::place::place_part;
/// assert_eq!(place_part("São Paulo"), "sao_paulo");
/// assert_eq!(place_part("los-angeles"), "los_angeles");
/// ```
pub fn place_part(name: &str) -> String {
    let mut part = String::with_capacity(name.len());
    for letter in name.chars().map(lower) {
        match plain(letter) {
            Some(plain) => part.push_str(plain),
            None if letter.is_ascii_alphanumeric() => part.push(letter),
            None if is_between_words(letter) && !part.is_empty() && !part.ends_with('_') => part.push('_'),
            None => {}
        }
    }
    part.truncate(part.trim_end_matches('_').len());
    part
}

fn is_between_words(letter: char) -> bool {
    letter.is_whitespace() || "-_+./,".contains(letter)
}

/// The lower case of a Latin letter in ASCII or in `plain`; other letters are unchanged. (The full Unicode table would add 4 KB to the wasm
/// file.)
fn lower(letter: char) -> char {
    let code = u32::from(letter);
    let small = match letter {
        'İ' => return 'i',
        '\u{212a}' => return 'k',
        '\u{212b}' => return 'å',
        'Ÿ' => return 'ÿ',
        'ẞ' => return 'ß',
        'À'..='Þ' => code + 32,
        'Ā'..='ķ' | 'Ŋ'..='ŷ' | 'Ș'..='ț' => code | 1,
        'Ĺ'..='ň' | 'Ź'..='ž' => code + code % 2,
        _ => return letter.to_ascii_lowercase(),
    };
    char::from_u32(small).unwrap_or(letter)
}

/// The unaccented spelling of an accented Latin letter, in one or two letters.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' | 'ō' => "o",
        'ŕ' | 'ř' => "r",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_case_agrees_with_unicode() {
        for letter in '\0'..=char::MAX {
            let small: Vec<char> = letter.to_lowercase().collect();
            if small.iter().any(|small| small.is_ascii_alphanumeric() || plain(*small).is_some()) {
                assert_eq!(lower(letter), small[0], "{letter}");
            }
        }
    }

    #[test]
    fn place_names_lose_accents_and_spaces() {
        for (name, part) in [
            ("New York", "new_york"),
            ("st. petersburg", "st_petersburg"),
            ("Île-de-France", "ile_de_france"),
            ("new+york", "new_york"),
            ("  Łódź ", "lodz"),
            ("北京", ""),
            ("-_-", ""),
        ] {
            assert_eq!(place_part(name), part);
        }
    }

    #[test]
    fn aliases_point_to_known_places_and_are_not_names_of_others() {
        for (alias, code) in COUNTRY_ALIASES {
            assert!(crate::place::is_country(code) && normal(alias) == alias, "{alias}");
            assert!(countries().iter().all(|row| row.country == code || normal(&row.name_en) != alias), "{alias}");
        }
        for (alias, key) in CITY_ALIASES {
            assert!(city_keys().any(|(_, known)| known == key) && normal(alias) == alias, "{alias}");
            assert!(city_keys().all(|(_, known)| known == key || normal(known) != alias), "{alias}");
        }
    }

    #[test]
    fn every_place_is_found_by_its_names() {
        for row in countries() {
            for name in [&row.country, &row.code3, &row.name_en, &row.name_zh] {
                assert_eq!(find_country(name), Some(row.country.as_str()), "{name}");
            }
        }
        for row in cities() {
            for name in [&row.city, &row.name_en, &row.name_zh] {
                assert_eq!(find_city(name), Some((row.country.as_str(), row.city.as_str())), "{name}");
            }
        }
        for none in ["", " ", "-", "XX", "atlantis"] {
            assert_eq!((find_country(none), find_city(none)), (None, None), "{none}");
        }
    }

    #[test]
    fn a_misspelt_city_is_suggested_unless_two_are_near() {
        assert_eq!(similar_city("US", "Chicgo"), Some("chicago"));
        assert_eq!(similar_city("US", "los angels"), Some("los-angeles"));
        for (country, spelling) in [("GB", "chicago"), ("US", "shangri-la"), ("US", ""), ("US", "北京")] {
            assert_eq!(similar_city(country, spelling), None, "{spelling}");
        }
        assert_eq!((distance("", "abc"), distance("kitten", "sitting"), distance("abc", "abc")), (3, 3, 0));
    }
}
