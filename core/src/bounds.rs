//! What every request is held to before it is read: how deep and how long its JSON may be, and which times exist. So no request takes
//! more work than its length lets expect, and no text reaches a database that cannot store it.
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use chrono::{Datelike, NaiveDateTime};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The longest body of a call that needs no session, in bytes.
pub const PUBLIC_BODY_MAX_BYTES: usize = 16 << 10;

/// The longest body of any other call, in bytes.
pub const BODY_MAX_BYTES: usize = 512 << 10;

/// A whole body must have arrived after so many seconds.
pub const BODY_SECONDS: u64 = 20;

/// Objects and lists may be nested so deep.
pub const MAX_DEPTH: usize = 6;

/// Fields that one object may have.
pub const MAX_FIELDS: usize = 64;

/// Items that a list may have, unless `LISTS` says otherwise.
pub const MAX_ITEMS: usize = 100;

/// Characters that a text may have, unless `TEXTS` says otherwise. Each form has limits of its own, which are never above.
pub const MAX_CHARACTERS: usize = 1_000;

/// Fields that a list may be sorted by at once.
pub const MAX_SORT_FIELDS: usize = 4;

/// Nodes that one call may name. A selection by filter may be about more.
pub const MAX_NODE_IDS: usize = 10_000;

/// Items of the lists that may have more or fewer than others, by the field's name.
pub const LISTS: &[(&str, usize)] = &[("NodeIds", MAX_NODE_IDS), ("Sort", MAX_SORT_FIELDS)];

/// Characters of the texts that may have more or fewer than others, by the field's name.
pub const TEXTS: &[(&str, usize)] = &[("Search", 100), ("Text", 4_000), ("Url", 2_000)];

/// How many items a list of this field may have.
pub fn max_items(field: &str) -> usize {
    LISTS.iter().find(|row| row.0 == field).map_or(MAX_ITEMS, |row| row.1)
}

/// How many characters a text of this field may have.
pub fn max_characters(field: &str) -> usize {
    TEXTS.iter().find(|row| row.0 == field).map_or(MAX_CHARACTERS, |row| row.1)
}

/// Does a database keep this time, and does the wire write it? Years have four digits.
pub fn is_time(time: NaiveDateTime) -> bool {
    (1..=9999).contains(&time.year())
}

/// Reads a whole JSON value and holds it to the bounds above. What is broken is an error of the field that is named last on the way
/// to it, kept in `broken`; the deserializer's own errors stay its own.
pub struct Bounded<'b> {
    pub broken: &'b mut FieldErrors,
    field: &'b str,
    depth: usize,
}

impl<'b> Bounded<'b> {
    /// For a request's whole body.
    pub fn new(broken: &'b mut FieldErrors) -> Bounded<'b> {
        Bounded { broken, field: "Body", depth: 0 }
    }

    fn refuse<E: Error>(&mut self, rule: Rule, params: &[(&str, String)]) -> E {
        self.broken.add(self.field, rule, params);
        E::custom(rule)
    }

    fn inner<'i>(&'i mut self, field: &'i str) -> Bounded<'i> {
        Bounded { broken: &mut *self.broken, field, depth: self.depth + 1 }
    }

    fn check_text<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let max = max_characters(self.field);
        // A character has at most four bytes: most texts need no counting.
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
        self.check_text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.check_depth()?;
        let (field, max) = (self.field, max_items(self.field));
        let mut count = 0;
        while items.next_element_seed(self.inner(field))?.is_some() {
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
            fields.next_value_seed(self.inner(&name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    /// The broken rules, `field rule`; `!` when it is no JSON; nothing when all is well.
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
    fn every_list_has_a_bound_and_its_error_names_it() {
        for (field, max) in [("NodeIds", 10_000), ("Sort", 4), ("WhiteIds", 100), ("AnyOther", 100)] {
            assert_eq!(broken(&list(field, max)), "", "{field}");
            assert_eq!(broken(&list(field, max + 1)), format!("{field} tooManyItems"));
        }
        assert_eq!(broken(&format!(r#"{{"Filter":{}}}"#, list("Countries", 101))), "Countries tooManyItems");
        let fields: Vec<String> = (0..65).map(|number| format!(r#""F{number}":1"#)).collect();
        assert_eq!(broken(&format!("{{{}}}", fields.join(","))), "Body tooManyItems");
    }

    #[test]
    fn texts_have_a_length_and_no_nul_wherever_they_are() {
        for (field, max) in [("Search", 100), ("Note", 1_000)] {
            let text = |count: usize| format!(r#"{{"{field}":"{}"}}"#, "密".repeat(count));
            assert_eq!((broken(&text(max)), broken(&text(max + 1))), (String::new(), format!("{field} maxLength")));
        }
        for json in [r#"{"Note":"a\u0000b"}"#, r#"{"Note":["\u0000"]}"#] {
            assert_eq!(broken(json), "Note invisibleCharacters");
        }
        assert_eq!(broken(r#"{"a\u0000":1}"#), "Body invisibleCharacters");
        assert_eq!(broken(&format!(r#"{{"{}":1}}"#, "k".repeat(1_001))), "Body maxLength");
    }

    #[test]
    fn what_is_nested_too_deep_or_no_json_is_refused() {
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
