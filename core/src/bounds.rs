//! Limits on every request, enforced while parsing: depth and size of its JSON, and valid times. They bound the work per request, and keep
//! out text that a database cannot store.
use crate::field_errors::FieldErrors;
use crate::legal::LEGAL_TEXT_MAX_LENGTH;
use crate::mail::MAX_RESENT;
use crate::proxy_user_form::MAX_PROXY_USERS;
use crate::rule::Rule;
use chrono::{Datelike, NaiveDateTime};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The maximum size of the body of a call without a session, in bytes.
pub const PUBLIC_BODY_MAX_BYTES: usize = 16 << 10;

/// The maximum size of the body of any other call, in bytes.
pub const BODY_MAX_BYTES: usize = 512 << 10;

/// The timeout for receiving a whole body, in seconds.
pub const BODY_SECONDS: u64 = 20;

/// The timeout for receiving a whole file, in seconds.
pub const UPLOAD_SECONDS: u64 = 120;

/// The maximum nesting of objects and arrays.
pub const MAX_DEPTH: usize = 6;

/// The maximum number of fields of an object.
pub const MAX_FIELDS: usize = 64;

/// The maximum number of items of an array, unless `LISTS` has an exception.
pub const MAX_ITEMS: usize = 100;

/// The maximum number of characters of a string, unless `TEXTS` has an exception. Forms have limits of their own, never higher.
pub const MAX_CHARACTERS: usize = 1_000;

/// The maximum number of sort fields of a list.
pub const MAX_SORT_FIELDS: usize = 4;

/// The maximum number of node ids in one call. A selection by filter may contain more.
pub const MAX_NODE_IDS: usize = 10_000;

/// Exceptions for arrays, by field name.
pub const LISTS: &[(&str, usize)] = &[
    ("NodeIds", MAX_NODE_IDS),
    ("MailIds", MAX_RESENT),
    ("Sort", MAX_SORT_FIELDS),
    ("ProxyUserIds", MAX_PROXY_USERS as usize),
];

/// Exceptions for strings, by field name.
pub const TEXTS: &[(&str, usize)] =
    &[("Search", 100), ("Csv", 200_000), ("BodyEn", LEGAL_TEXT_MAX_LENGTH), ("BodyZh", LEGAL_TEXT_MAX_LENGTH)];

/// Strings that a form checks, by field name: its own rules refuse long ones and those with NUL, together with the errors of its other fields.
/// Not those within filters, lines and settings.
pub const FORM_TEXTS: &[&str] = &[
    "Address",
    "Addresses",
    "Amount",
    "City",
    "Code",
    "Colour",
    "CompanyName",
    "Coupon",
    "CurrentPassword",
    "Description",
    "Discount",
    "Email",
    "ExpiresAt",
    "FirstName",
    "Host",
    "HttpPort",
    "InviteCode",
    "Label",
    "LastName",
    "LimitGigabytes",
    "Link",
    "MaxConnections",
    "MaxMegabits",
    "Messenger",
    "MonthlyLimit",
    "Name",
    "NewPassword",
    "Note",
    "Password",
    "Phone",
    "PostalCode",
    "RatePercent",
    "Reason",
    "Socks5Port",
    "TaxNumber",
    "Text",
    "TextEn",
    "TextZh",
    "Threshold",
    "ThresholdGigabytes",
    "Title",
    "Url",
    "UserName",
    "ValidFrom",
    "ValidUntil",
    "Website",
];

/// The maximum number of items of an array in this field.
pub fn max_items(field: &str) -> usize {
    LISTS.iter().find(|row| row.0 == field).map_or(MAX_ITEMS, |row| row.1)
}

/// The maximum number of characters of a string in this field.
pub fn max_characters(field: &str) -> usize {
    TEXTS.iter().find(|row| row.0 == field).map_or(MAX_CHARACTERS, |row| row.1)
}

/// Whether databases can store this time and the wire format can represent it: years have four digits.
pub fn is_time(time: NaiveDateTime) -> bool {
    (1..=9999).contains(&time.year())
}

/// Deserialises any JSON value within these limits. A violation is recorded in `broken`, under the innermost enclosing field; the
/// deserialiser's own errors are passed through.
pub struct Bounded<'b> {
    pub broken: &'b mut FieldErrors,
    field: &'b str,
    depth: usize,
    /// The number of objects around it.
    objects: usize,
}

impl<'b> Bounded<'b> {
    /// For the whole body of a request.
    pub fn new(broken: &'b mut FieldErrors) -> Bounded<'b> {
        Bounded { broken, field: "Body", depth: 0, objects: 0 }
    }

    fn refuse<E: Error>(&mut self, rule: Rule, params: &[(&str, String)]) -> E {
        self.broken.add(self.field, rule, params);
        E::custom(rule)
    }

    fn inner<'i>(&'i mut self, field: &'i str, objects: usize) -> Bounded<'i> {
        Bounded { broken: &mut *self.broken, field, depth: self.depth + 1, objects }
    }

    /// Whether the rules of a form apply to a string here.
    fn is_in_form(&self) -> bool {
        self.objects == 1 && FORM_TEXTS.contains(&self.field)
    }

    fn check_text<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let max = max_characters(self.field);
        // A string of at most `max` bytes needs no counting of characters.
        if text.len() > max && text.chars().count() > max {
            return Err(self.refuse(Rule::MaxLength, &[("Max", max.to_string())]));
        }
        if text.contains('\0') {
            return Err(self.refuse(Rule::InvisibleCharacters, &[]));
        }
        Ok(())
    }

    fn check_depth<E: Error>(&mut self) -> Result<(), E> {
        if self.depth >= MAX_DEPTH {
            Err(self.refuse(Rule::NestedTooDeep, &[("Max", MAX_DEPTH.to_string())]))
        } else {
            Ok(())
        }
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        if self.is_in_form() { Ok(()) } else { self.check_text(text) }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.check_depth()?;
        let (field, max) = (self.field, max_items(self.field));
        let mut count = 0;
        while items.next_element_seed(self.inner(field, self.objects))?.is_some() {
            count += 1;
            if count > max {
                return Err(self.refuse(Rule::TooManyItems, &[("Max", max.to_string())]));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        self.check_depth()?;
        let mut count = 0;
        while let Some(name) = fields.next_key::<String>()? {
            self.check_text(&name)?;
            count += 1;
            if count > MAX_FIELDS {
                return Err(self.refuse(Rule::TooManyItems, &[("Max", MAX_FIELDS.to_string())]));
            }
            fields.next_value_seed(self.inner(&name, self.objects + 1))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    /// The broken rules, as `field rule`; `!` for invalid JSON; empty if valid.
    fn broken(json: &str) -> String {
        let mut broken = FieldErrors::default();
        let read = Bounded::new(&mut broken).deserialize(&mut serde_json::Deserializer::from_str(json));
        let rules = broken.0.iter().map(|(field, rules)| format!("{field} {}", rules[0].rule)).collect::<Vec<_>>();
        if rules.is_empty() && read.is_err() { "!".to_owned() } else { rules.join(", ") }
    }

    fn list(field: &str, count: usize) -> String {
        format!(r#"{{"{field}":[{}]}}"#, vec!["1"; count].join(","))
    }

    #[test]
    fn every_array_has_a_limit_and_its_error_names_the_field() {
        for (field, max) in [("NodeIds", 10_000), ("Sort", 4), ("WhiteIds", 100), ("AnyOther", 100)] {
            assert_eq!(broken(&list(field, max)), "", "{field}");
            assert_eq!(broken(&list(field, max + 1)), format!("{field} tooManyItems"));
        }
        assert_eq!(broken(&format!(r#"{{"Filter":{}}}"#, list("Countries", 101))), "Countries tooManyItems");
        let fields: Vec<String> = (0..65).map(|number| format!(r#""F{number}":1"#)).collect();
        assert_eq!(broken(&format!("{{{}}}", fields.join(","))), "Body tooManyItems");
    }

    #[test]
    fn every_string_has_a_maximum_length_and_no_nul() {
        for (field, max) in [("Search", 100), ("Target", 1_000)] {
            let text = |count: usize| format!(r#"{{"{field}":"{}"}}"#, "密".repeat(count));
            assert_eq!((broken(&text(max)), broken(&text(max + 1))), (String::new(), format!("{field} maxLength")));
        }
        for json in [r#"{"Target":"a\u0000b"}"#, r#"{"Target":["\u0000"]}"#] {
            assert_eq!(broken(json), "Target invisibleCharacters");
        }
        assert_eq!(broken(r#"{"a\u0000":1}"#), "Body invisibleCharacters");
        assert_eq!(broken(&format!(r#"{{"{}":1}}"#, "k".repeat(1_001))), "Body maxLength");
    }

    #[test]
    fn the_texts_of_a_form_are_left_to_its_own_rules() {
        let long = "x".repeat(100_000);
        for body in [
            format!(r#"{{"Note":"{long}"}}"#),
            format!(r#"{{"Addresses":["{long}"]}}"#),
            r#"{"Name":"a\u0000b"}"#.to_owned(),
        ] {
            assert_eq!(broken(&body), "");
        }
        assert_eq!(broken(&format!(r#"{{"Filter":{{"Name":"{long}"}}}}"#)), "Name maxLength");
        assert_eq!(broken(&format!(r#"{{"Lines":[{{"City":"{long}"}}]}}"#)), "City maxLength");
        assert_eq!(broken(&format!(r#"{{"Name":{{"Name":"{long}"}}}}"#)), "Name maxLength");
    }

    #[test]
    fn json_that_is_nested_too_deep_or_invalid_is_rejected() {
        let nested = |depth: usize| format!(r#"{{"A":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!((broken(&nested(5)), broken(&nested(6))), (String::new(), "A nestedTooDeep".to_owned()));
        for json in [r#"{"A":"\ud800"}"#, r#"{"A":1e400}"#, "{", r#"{"A":}"#, "nothing"] {
            assert_eq!(broken(json), "!", "{json}");
        }
        assert_eq!(broken(r#"{"A":[1,-1,1.5,true,null,"x"],"B":{"C":{}}}"#), "");
    }

    #[test]
    fn years_have_four_digits() {
        for (text, is_kept) in
            [("2026-11-22 10:00:00", true), ("0001-01-01 00:00:00", true), ("9999-12-31 23:59:59", true)]
        {
            assert_eq!(from_wire(text).is_some_and(is_time), is_kept, "{text}");
        }
        for year in [-262_143, -1, 0, 10_000] {
            let time = chrono::NaiveDate::from_ymd_opt(year, 1, 1).and_then(|day| day.and_hms_opt(0, 0, 0));
            assert!(!is_time(time.expect("a time")), "{year}");
        }
    }
}
