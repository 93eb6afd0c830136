//! Parses shopping lists as people write them: "Tokyo 5, Paris 3", "东京 5 个、巴黎 3 个", or two columns of a spreadsheet.
use crate::checks::without_invisible;
use crate::place::find_city;
use crate::quote::MAX_QUANTITY;
use serde::Serialize;

/// Separators of entries. A tab is not among them, because it separates the two cells of a row.
const BETWEEN: [char; 7] = [',', ';', '\n', '\r', '，', '；', '、'];

/// The smallest quantity that exceeds the maximum of an order.
const OVER_MAX: u32 = MAX_QUANTITY + 1;

/// A city and the number of proxies wanted there.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct WantedCity {
    pub country: String,
    pub city: String,
    pub quantity: u32,
}

/// The parsed list: distinct cities in order of appearance, and the entries without a known city or a valid quantity.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct WantedPlaces {
    pub cities: Vec<WantedCity>,
    pub unread: Vec<String>,
}

/// Parses a list of cities with quantities, in either language. Without a quantity, a city counts once; the quantities of a repeated city
/// are added.
///
/// ```
/// use postern_core::wanted_places::read_wanted_places;
/// let wanted = read_wanted_places("5x Tokyo, 巴黎 3, Atlantis 2");
/// assert_eq!((wanted.cities[0].city.as_str(), wanted.cities[0].quantity), ("tokyo", 5));
/// assert_eq!((wanted.cities[1].city.as_str(), wanted.cities[1].quantity), ("paris", 3));
/// assert_eq!(wanted.unread, ["Atlantis 2"]);
/// ```
pub fn read_wanted_places(text: &str) -> WantedPlaces {
    let mut wanted = WantedPlaces::default();
    for entry in without_invisible(text).split(BETWEEN).map(str::trim).filter(|entry| !entry.is_empty()) {
        let (name, quantity) = name_and_quantity(entry);
        let known = find_city(name);
        let place = wanted.cities.iter().position(|one| known.is_some_and(|(_, key)| key == one.city));
        let before = place.map_or(0, |place| wanted.cities[place].quantity);
        let sum = quantity.and_then(|quantity| before.checked_add(quantity));
        match (known, sum, place) {
            (_, None | Some(0 | OVER_MAX..), _) | (None, ..) => wanted.unread.push(entry.to_owned()),
            (_, Some(sum), Some(place)) => wanted.cities[place].quantity = sum,
            (Some((country, city)), Some(quantity), None) => {
                wanted.cities.push(WantedCity { country: country.into(), city: city.into(), quantity });
            }
        }
    }
    wanted
}

/// The name in an entry, and the number before or after it: 1 if there is none, `None` if it is too large.
fn name_and_quantity(entry: &str) -> (&str, Option<u32>) {
    let counted = without_end(entry, is_filling);
    let before = without_end(counted, is_digit);
    if before.len() < counted.len() {
        let name = without_end(before, is_filling);
        // "Tokyo x5", but not "Phoenix 5".
        let name = name.strip_suffix(['x', 'X']).filter(|rest| rest.ends_with(' ')).unwrap_or(name);
        return (without_end(name, is_filling), number(&counted[before.len()..]));
    }
    let after = without_start(entry, is_digit);
    if after.len() < entry.len() {
        let name = without_start(after, is_filling);
        // "5x Tokyo", but not "5 Xiamen".
        let name = name.strip_prefix(['x', 'X']).filter(|rest| rest.starts_with(' ')).unwrap_or(name);
        return (without_start(name, is_filling), number(&entry[..entry.len() - after.len()]));
    }
    (entry, Some(1))
}

// Function pointers rather than generics, because an instance per closure would add half a kilobyte to the wasm file.
fn without_end(text: &str, is_off: fn(char) -> bool) -> &str {
    text.trim_end_matches(is_off)
}

fn without_start(text: &str, is_off: fn(char) -> bool) -> &str {
    text.trim_start_matches(is_off)
}

/// Whether this may separate a place and its quantity, like the letter x; includes Chinese measure words.
fn is_filling(letter: char) -> bool {
    letter.is_whitespace() || "×*:：=-个個条".contains(letter)
}

/// Includes the full-width digits of Chinese input methods.
fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || ('０'..='９').contains(&letter)
}

fn number(digits: &str) -> Option<u32> {
    digits.chars().try_fold(0u32, |sum, digit| {
        let value = digit.to_digit(10).unwrap_or_else(|| u32::from(digit) - u32::from('０'));
        sum.checked_mul(10)?.checked_add(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::cities;

    fn read(text: &str) -> (Vec<(String, u32)>, Vec<String>) {
        let wanted = read_wanted_places(text);
        (wanted.cities.into_iter().map(|one| (one.city, one.quantity)).collect(), wanted.unread)
    }

    #[test]
    fn a_city_and_its_quantity_are_parsed_in_any_notation() {
        for text in [
            "Tokyo 5",
            "tokyo x5",
            "TOKYO × 5",
            "Tokyo: 5",
            "Tokyo\t5",
            "Tokyo=5",
            "Tokyo - 5",
            "5 Tokyo",
            "5x Tokyo",
            "5 × Tokyo",
            "5*Tokyo",
            "东京5",
            "东京 5 个",
            "5个东京",
            "东京：５",
            "Tokyo 2, Tokyo 3",
            "  Tokyo 5 ,, ;\n",
        ] {
            assert_eq!(read(text), (vec![("tokyo".into(), 5)], vec![]), "{text:?}");
        }
        assert_eq!(read("Los-Angeles 2").0, [("los-angeles".into(), 2)]);
        assert_eq!(read("los angeles").0, [("los-angeles".into(), 1)]);
        assert_eq!(read("São Paulo 4；圣保罗 1").0, [("sao-paulo".into(), 5)]);
    }

    #[test]
    fn every_city_is_found_by_all_its_names() {
        for city in cities() {
            for name in [&city.name_en, &city.name_zh, &city.city] {
                assert_eq!(read(&format!("{name} 3")), (vec![(city.city.clone(), 3)], vec![]), "{name}");
                assert_eq!(read(&format!("3 {name}")), (vec![(city.city.clone(), 3)], vec![]), "{name}");
            }
        }
    }

    #[test]
    fn entries_without_a_known_city_or_a_valid_quantity_are_returned_as_written() {
        for text in
            ["Atlantis 5", "5", "Tokyo 0", "Tokyo 5001", "Tokyo 99999999999", "Tokyo 5 6", "--", "😀 2", "Japan 5"]
        {
            assert_eq!(read(text), (vec![], vec![text.to_owned()]), "{text:?}");
        }
        assert_eq!(read("Tokyo 5000, Tokyo 1"), (vec![("tokyo".into(), 5_000)], vec!["Tokyo 1".to_owned()]));
        assert_eq!(read(""), (vec![], vec![]));
    }
}
