//! Why a value from outside does not fit a type, and where: serde's errors, whatever they were read from, in JSON's terms.
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use serde::{Deserialize, Deserializer};
use serde_path_to_error::Segment;
use std::fmt;

/// Why a value does not fit the type: the path, made of keys and indices (`Tiers.0.Price`, empty for the whole value), and what is wrong
/// there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Misfit {
    pub path: String,
    reason: Reason,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Reason {
    Missing,
    /// None of the values that are listed for the place.
    Unknown(String),
    /// Not a whole number within these bounds; the rule that it breaks, if it is a number, with the bound.
    NotInBounds(Bounds, Option<(Rule, Option<(&'static str, String)>)>),
    /// In the words of the type or of the parser.
    Other(String),
}

/// The least and greatest number of a type.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Bounds {
    min: i64,
    max: u64,
}

/// Reads a value of this type. Unknown fields are ignored.
pub fn read<'d, T: Deserialize<'d>, D: Deserializer<'d>>(value: D) -> Result<T, Misfit> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let steps = error.path().iter().filter_map(|step| match step {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
        Misfit::of(steps.collect(), &error.inner().to_string())
    })
}

impl Misfit {
    /// From what serde says, whose words are the same for all formats.
    #[cold]
    #[inline(never)]
    fn of(mut path: Vec<String>, said: &str) -> Misfit {
        // Browsers begin with the kind of error, and serde_json ends with the place in the text.
        let said = said.strip_prefix("Error: ").unwrap_or(said);
        let said = match said.rsplit_once(" at line ") {
            Some((before, place)) if place.chars().all(|one| one.is_ascii_digit() || " column".contains(one)) => before,
            _ => said,
        };
        let reason = match (said.strip_prefix("missing field `"), said.rsplit_once(", expected ")) {
            (Some(name), _) => {
                path.push(name.trim_end_matches('`').to_owned());
                Reason::Missing
            }
            (_, Some((found, expected))) => Reason::of(found, expected),
            _ => Reason::Other(said.to_owned()),
        };
        Misfit { path: path.join("."), reason }
    }

    /// The whole value is missing.
    pub fn missing() -> Misfit {
        Misfit { path: String::new(), reason: Reason::Missing }
    }

    /// The whole value is an array in place of an object, which JavaScript takes for one.
    pub fn array() -> Misfit {
        Misfit { path: String::new(), reason: Reason::of("", "a map") }
    }

    pub fn is_missing(&self) -> bool {
        self.reason == Reason::Missing
    }

    /// Whether the value is none of those that are listed for the place.
    pub fn is_unknown(&self) -> bool {
        matches!(self.reason, Reason::Unknown(_))
    }

    /// Prepends a key to the path.
    pub fn inside(self, key: &str) -> Misfit {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{key}.{}", self.path) };
        Misfit { path, ..self }
    }

    /// The rule that a number breaks which does not fit its field, if that is the only problem: users type numbers.
    pub fn broken_rule(&self) -> Option<FieldErrors> {
        let Reason::NotInBounds(_, Some((rule, limit))) = &self.reason else { return None };
        Some(FieldErrors::one(&self.path, *rule, limit.as_slice()))
    }
}

impl Reason {
    /// `found`: the kind of error and the value; `expected`: what the type says of itself.
    fn of(found: &str, expected: &str) -> Reason {
        if found.starts_with("unknown variant") {
            return Reason::Unknown(expected.trim_start_matches("one of ").replace('`', "").replace(" or ", ", "));
        }
        let Some(bounds) = Bounds::of(expected) else {
            let expected = match expected {
                "a boolean" => "true or false",
                "a sequence" => "an array",
                "a map" => "an object",
                _ if expected.starts_with("struct ") => "an object",
                _ if expected.starts_with("enum ") => "one of the listed values",
                other => other,
            };
            return Reason::Other(format!("expected {expected}"));
        };
        let value = found.split_once(": ").map_or("", |(_, value)| value);
        let number = value.strip_prefix("integer `").or(value.strip_prefix("floating point `"));
        let rule = number.map(|number| {
            let number = number.trim_end_matches('`');
            // The shortest form has an exponent from 1e16 on. NaN and infinities, which a browser may calculate, have no digits.
            let is_whole = match (number.split_once('e'), number.split_once('.')) {
                (Some((_, exponent)), _) => !exponent.starts_with('-'),
                (None, Some((whole, fraction))) => fraction == "0" && whole.ends_with(|end: char| end.is_ascii_digit()),
                (None, None) => number.ends_with(|end: char| end.is_ascii_digit()),
            };
            match (is_whole, number.starts_with('-')) {
                (false, _) => (Rule::NotWhole, None),
                (true, true) => (Rule::Min, Some(("Min", bounds.min.to_string()))),
                (true, false) => (Rule::Max, Some(("Max", bounds.max.to_string()))),
            }
        });
        Reason::NotInBounds(bounds, rule)
    }
}

impl Bounds {
    fn of(name: &str) -> Option<Bounds> {
        let (sign, bits) =
            (name.get(..1)?, name.get(1..)?.parse::<u32>().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?);
        match sign {
            "u" => Some(Bounds { min: 0, max: u64::MAX >> (64 - bits) }),
            "i" => Some(Bounds { min: i64::MIN >> (64 - bits), max: (i64::MAX >> (64 - bits)) as u64 }),
            _ => None,
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        match &self.reason {
            Reason::Missing => formatter.write_str("missing"),
            Reason::Unknown(listed) => write!(formatter, "expected one of {listed}"),
            Reason::NotInBounds(Bounds { min, max }, _) => {
                write!(formatter, "expected a whole number from {min} to {max}")
            }
            Reason::Other(said) => formatter.write_str(said),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::{Currency, Money};

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "PascalCase")]
    struct Tier {
        price: Money,
        node_type: u8,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "PascalCase")]
    struct Catalogue {
        currency: Currency,
        tiers: Vec<Tier>,
        days: Vec<u32>,
        #[serde(default)]
        is_open: Option<bool>,
    }

    fn read_text<T: for<'t> Deserialize<'t>>(text: &str) -> Result<T, Misfit> {
        read(&mut serde_json::Deserializer::from_str(text))
    }

    fn said<T: for<'t> Deserialize<'t>>(text: &str) -> Option<String> {
        read_text::<T>(text).err().map(|misfit| misfit.to_string())
    }

    #[test]
    fn errors_name_the_path_of_the_wrong_value() {
        let catalogue =
            r#"{"Currency":"USD","Tiers":[{"NodeType":2,"Price":"9.00"},{"NodeType":1,"Price":"5.00"}],"Days":[30]}"#;
        assert_eq!(said::<Catalogue>(catalogue), None);
        for (from, to, message) in [
            ("\"NodeType\":1", "\"NodeType\":\"1\"", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":1.5", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":-1", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":256", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"9.00\"", "9", "Tiers.0.Price: expected a string"),
            ("\"Days\":[", "\"Days\":7,\"x\":[", "Days: expected an array"),
            ("\"Days\":[", "\"IsOpen\":\"no, expected u8\",\"Days\":[", "IsOpen: expected true or false"),
            ("\"Days\"", "\"Years\"", "Days: missing"),
            ("\"NodeType\":2,", "", "Tiers.0.NodeType: missing"),
            ("\"USD\"", "\"XXX\"", "Currency: expected one of USD, EUR, CNY"),
            ("\"USD\"", "\"at line 3, expected u99\"", "Currency: expected one of USD, EUR, CNY"),
            ("[30]", "[30,\"60\"]", "Days.1: expected a whole number from 0 to 4294967295"),
            ("},{", "},7,{", "Tiers.1: expected an object"),
        ] {
            let wrong = catalogue.replacen(from, to, 1);
            assert_eq!(said::<Catalogue>(&wrong).as_deref(), Some(message), "{wrong}");
        }
        let money = said::<Catalogue>(&catalogue.replacen("9.00", "nine", 1)).expect("an error");
        assert!(money.starts_with("Tiers.0.Price: "), "{money}");
    }

    #[test]
    fn what_a_type_says_itself_is_told_whatever_is_in_it() {
        for said in ["7, expected u99", "8, expected u0", "9, expected i128", "a at line b, expected é"] {
            let expected = said.rsplit_once(", ").map(|(_, expected)| expected.to_owned());
            assert_eq!(Some(Misfit::of(Vec::new(), said).to_string()), expected, "{said}");
        }
    }

    #[test]
    fn a_number_out_of_range_breaks_a_rule_with_the_exceeded_bound() {
        fn rule<T: for<'t> Deserialize<'t>>(text: &str) -> Option<String> {
            let broken = read_text::<T>(text).err()?.broken_rule()?;
            let (path, rules) = broken.0.into_iter().next()?;
            Some(format!("{path}:{} {:?}", rules[0].rule, rules[0].params.values().collect::<Vec<_>>()))
        }
        for (text, told) in [
            ("-1", Some(":min [\"0\"]")),
            ("70000", Some(":max [\"65535\"]")),
            ("1e10", Some(":max [\"65535\"]")),
            ("123456789012345678901234567890", Some(":max [\"65535\"]")),
            ("-123456789012345678901234567890", Some(":min [\"0\"]")),
            ("1.5", Some(":notWhole []")),
            ("5e-324", Some(":notWhole []")),
            ("null", None),
            ("\"80\"", None),
            ("\"`80`\"", None),
        ] {
            assert_eq!(rule::<u16>(text).as_deref(), told, "{text}");
        }
        assert_eq!(rule::<i8>("-129").as_deref(), Some(":min [\"-128\"]"));
        assert_eq!(rule::<i64>("-9223372036854775809").as_deref(), Some(":min [\"-9223372036854775808\"]"));
        assert_eq!(rule::<Vec<Tier>>(r#"[{"Price":"1.00","NodeType":-1}]"#).as_deref(), Some("0.NodeType:min [\"0\"]"));
    }
}
