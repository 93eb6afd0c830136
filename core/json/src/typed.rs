//! Types read from JSON text through serde. There are no floats: a number with a fraction is not what a type here asks for.
use crate::reader::Reader;
use crate::value::unescape;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::borrow::Cow;
use std::fmt;

/// Reads a value of this type. Fields that the type does not have are passed over.
pub fn from_text<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, WrongJson> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader)?;
    if reader.is_at_end() { Ok(value) } else { Err(WrongJson::malformed()) }
}

/// Why a text is not of the type: where, by keys and indices (`Tiers.0.Price`, empty for the whole), and what was expected there, in
/// the words of JSON.
///
/// It is one pointer, as the code that hands it on is there once for each type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrongJson(Box<Wrong>);

#[derive(Clone, Debug, Eq, PartialEq)]
struct Wrong {
    at: String,
    reason: String,
    number: Option<WrongNumber>,
    /// The index of the field that a struct lacks, until the struct says its name.
    lacks: Option<usize>,
}

/// What is wrong with a number where the type has a whole one within bounds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum WrongNumber {
    NotWhole,
    LessThan(i64),
    MoreThan(u64),
}

impl WrongJson {
    /// Where it is wrong.
    pub fn at(&self) -> &str {
        &self.0.at
    }

    /// What is wrong with the number there, if that is all: people type those.
    pub fn number(&self) -> Option<WrongNumber> {
        self.0.number
    }

    /// A whole text that is wrong, for this reason.
    pub fn because(reason: &str) -> WrongJson {
        WrongJson::new(reason.to_owned())
    }

    #[cold]
    #[inline(never)]
    fn new(reason: String) -> WrongJson {
        WrongJson(Box::new(Wrong { at: String::new(), reason, number: None, lacks: None }))
    }

    #[cold]
    #[inline(never)]
    fn malformed() -> WrongJson {
        WrongJson::new("not JSON".to_owned())
    }

    #[cold]
    #[inline(never)]
    fn expected(expected: &str) -> WrongJson {
        WrongJson::new(["expected ", expected].concat())
    }

    #[cold]
    #[inline(never)]
    fn expected_one_of(values: &[&str]) -> WrongJson {
        let mut list = "one of ".to_owned();
        for (index, value) in values.iter().enumerate() {
            list.push_str(if index > 0 { ", " } else { "" });
            list.push_str(value);
        }
        WrongJson::expected(&list)
    }

    #[cold]
    #[inline(never)]
    fn expected_whole(bounds: Bounds, number: Option<WrongNumber>) -> WrongJson {
        let mut wrong = WrongJson::new(format!("expected a whole number from {} to {}", bounds.min, bounds.max));
        wrong.0.number = number;
        wrong
    }

    #[cold]
    #[inline(never)]
    fn at_index(self, index: usize) -> WrongJson {
        self.inside(&index.to_string())
    }

    #[cold]
    #[inline(never)]
    fn lacking(mut self, names: &[&str]) -> WrongJson {
        if let Some(name) = self.0.lacks.take().and_then(|index| names.get(index)) {
            self.0.reason = "missing".to_owned();
            return self.inside(name);
        }
        self
    }

    /// The same of a value that is itself inside another, under this key.
    #[cold]
    #[inline(never)]
    pub fn inside(mut self, key: &str) -> WrongJson {
        self.0.lacks = None;
        self.0.at = if self.0.at.is_empty() { key.to_owned() } else { [key, &self.0.at].join(".") };
        self
    }
}

impl fmt::Display for WrongJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.at.is_empty() {
            write!(formatter, "{}: ", self.0.at)?;
        }
        formatter.write_str(&self.0.reason)
    }
}

impl std::error::Error for WrongJson {}

// serde's own texts name types of Rust, and the first three show what came instead, which would bring the printer of floats along.
impl Error for WrongJson {
    fn custom<T: fmt::Display>(reason: T) -> WrongJson {
        WrongJson::new(reason.to_string())
    }

    fn invalid_type(_: Unexpected, _: &dyn Expected) -> WrongJson {
        WrongJson::expected("a value of another kind")
    }

    fn invalid_value(_: Unexpected, _: &dyn Expected) -> WrongJson {
        WrongJson::expected("another value")
    }

    fn invalid_length(length: usize, _: &dyn Expected) -> WrongJson {
        let mut wrong = WrongJson::expected("more items");
        wrong.0.lacks = Some(length);
        wrong
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> WrongJson {
        WrongJson::expected_one_of(expected)
    }
}

/// The least and the greatest value of a type of whole numbers.
#[derive(Clone, Copy)]
struct Bounds {
    min: i64,
    max: u64,
}

impl<'t> Reader<'t> {
    #[inline(never)]
    fn read_plain(&mut self) -> Result<&'t str, WrongJson> {
        self.plain().ok_or_else(WrongJson::malformed)
    }

    #[inline(never)]
    fn read_text(&mut self) -> Result<Cow<'t, str>, WrongJson> {
        self.string().and_then(unescape).ok_or_else(WrongJson::malformed)
    }

    #[inline(never)]
    fn read_whole(&mut self, bounds: Bounds) -> Result<Whole, WrongJson> {
        if !matches!(self.next_byte(), Some(b'-' | b'0'..=b'9')) {
            return Err(WrongJson::expected_whole(bounds, None));
        }
        let written = self.read_plain()?;
        let wrong = |number| Err(WrongJson::expected_whole(bounds, Some(number)));
        let (is_negative, digits) = written.strip_prefix('-').map_or((false, written), |digits| (true, digits));
        // What has a fraction, or an exponent below zero; one above zero makes a number too large.
        if digits.bytes().any(|byte| matches!(byte, b'.' | b'-')) {
            return wrong(WrongNumber::NotWhole);
        }
        let number = digits.bytes().try_fold(0_u64, |number, byte| {
            let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
            number.checked_mul(10)?.checked_add(digit.into())
        });
        match number {
            Some(number) if !is_negative && number <= bounds.max => Ok(Whole::Positive(number)),
            Some(number) if is_negative && number <= bounds.min.unsigned_abs() => {
                Ok(Whole::Negative((number as i64).wrapping_neg()))
            }
            _ if is_negative => wrong(WrongNumber::LessThan(bounds.min)),
            _ => wrong(WrongNumber::MoreThan(bounds.max)),
        }
    }

    fn whole<V: Visitor<'t>>(&mut self, min: i64, max: u64, visitor: V) -> Result<V::Value, WrongJson> {
        match self.read_whole(Bounds { min, max })? {
            Whole::Positive(number) => visitor.visit_u64(number),
            Whole::Negative(number) => visitor.visit_i64(number),
        }
    }

    /// A struct is read as the sequence of its fields, each looked for by name, so that all structs share the code that knows
    /// names, repetitions and order.
    fn fields<V: Visitor<'t>>(&mut self, names: &'static [&'static str], visitor: V) -> Result<V::Value, WrongJson> {
        let mut fields = Fields::of(self, names)?;
        let value = visitor.visit_seq(&mut fields).map_err(|wrong| wrong.lacking(names))?;
        fields.end().map(|()| value)
    }
}

enum Whole {
    Positive(u64),
    /// Below zero.
    Negative(i64),
}

macro_rules! read_wholes {
    ($($method:ident: $type:ty)+) => {
        $(fn $method<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
            self.whole(<$type>::MIN as i64, <$type>::MAX as u64, visitor)
        })+
    };
}

impl<'t> Deserializer<'t> for &mut Reader<'t> {
    type Error = WrongJson;

    read_wholes! {
        deserialize_u8: u8 deserialize_u16: u16 deserialize_u32: u32 deserialize_u64: u64
        deserialize_i8: i8 deserialize_i16: i16 deserialize_i32: i32 deserialize_i64: i64
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongJson> {
        self.fields(names, visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        if self.next_byte() != Some(b'{') {
            return Err(WrongJson::expected("an object"));
        }
        let mut items = Items::of(self)?;
        let value = visitor.visit_map(&mut items)?;
        items.end(b'}').map(|()| value)
    }

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b'"') => self.deserialize_str(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.whole(i64::MIN, u64::MAX, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b't' | b'f') => visitor.visit_bool(self.read_plain()? == "true"),
            _ => Err(WrongJson::expected("true or false")),
        }
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b'"') => match self.read_text()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            _ => Err(WrongJson::expected("a string")),
        }
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b'n') => self.read_plain().and_then(|_| visitor.visit_unit()),
            _ => Err(WrongJson::expected("null")),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b'n') => self.read_plain().and_then(|_| visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, _: &'static str, visitor: V) -> Result<V::Value, WrongJson> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        if self.next_byte() != Some(b'[') {
            return Err(WrongJson::expected("an array"));
        }
        let mut items = Items::of(self)?;
        let value = visitor.visit_seq(&mut items)?;
        items.end(b']').map(|()| value)
    }

    /// A variant without contents is its name; one with contents an object of its name and them.
    fn deserialize_enum<V: Visitor<'t>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongJson> {
        match self.next_byte() {
            Some(b'"') => visitor.visit_enum(Variant { reader: self, has_contents: false }),
            Some(b'{') => {
                self.open().ok_or_else(WrongJson::malformed)?;
                let value = visitor.visit_enum(Variant { reader: self, has_contents: true })?;
                match self.next_item(b'}', false) {
                    Some(false) => Ok(value),
                    _ => Err(WrongJson::malformed()),
                }
            }
            _ => Err(WrongJson::expected_one_of(variants)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        self.value().ok_or_else(WrongJson::malformed).and_then(|_| visitor.visit_unit())
    }

    forward_to_deserialize_any! { <V: Visitor<'t>> i128 u128 f32 f64 char bytes byte_buf unit_struct tuple tuple_struct }
}

/// What is inside brackets.
struct Items<'r, 't> {
    reader: &'r mut Reader<'t>,
    count: usize,
    has_ended: bool,
    key: &'t str,
}

impl<'r, 't> Items<'r, 't> {
    #[inline(never)]
    fn of(reader: &'r mut Reader<'t>) -> Result<Items<'r, 't>, WrongJson> {
        reader.open().ok_or_else(WrongJson::malformed)?;
        Ok(Items { reader, count: 0, has_ended: false, key: "" })
    }

    #[inline(never)]
    fn next_item(&mut self, end: u8) -> Result<bool, WrongJson> {
        let next = self.reader.next_item(end, self.count == 0).ok_or_else(WrongJson::malformed)?;
        self.count += 1;
        self.has_ended = !next;
        Ok(next)
    }

    /// Tuples ask for as many items as they have, and no more.
    #[inline(never)]
    fn end(&mut self, end: u8) -> Result<(), WrongJson> {
        if !self.has_ended && self.next_item(end)? { Err(WrongJson::expected("fewer items")) } else { Ok(()) }
    }
}

impl<'t> SeqAccess<'t> for Items<'_, 't> {
    type Error = WrongJson;

    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, WrongJson> {
        if !self.next_item(b']')? {
            return Ok(None);
        }
        let index = self.count - 1;
        seed.deserialize(&mut *self.reader).map(Some).map_err(|wrong| wrong.at_index(index))
    }
}

impl<'t> MapAccess<'t> for Items<'_, 't> {
    type Error = WrongJson;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, WrongJson> {
        if !self.next_item(b'}')? {
            return Ok(None);
        }
        self.key = self.reader.key().ok_or_else(WrongJson::malformed)?;
        seed.deserialize(Key(self.key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, WrongJson> {
        let key = self.key;
        seed.deserialize(&mut *self.reader).map_err(|wrong| wrong.inside(key))
    }
}

/// The fields of a struct, by name.
struct Fields<'r, 't> {
    reader: &'r mut Reader<'t>,
    names: std::slice::Iter<'static, &'static str>,
    begin: usize,
}

impl<'r, 't> Fields<'r, 't> {
    #[inline(never)]
    fn of(reader: &'r mut Reader<'t>, names: &'static [&'static str]) -> Result<Fields<'r, 't>, WrongJson> {
        if reader.next_byte() != Some(b'{') {
            return Err(WrongJson::expected("an object"));
        }
        reader.open().ok_or_else(WrongJson::malformed)?;
        let begin = reader.position();
        Ok(Fields { reader, names: names.iter(), begin })
    }

    /// Goes to the value of the next field; its name, and whether it is there.
    #[inline(never)]
    fn next_field(&mut self) -> Result<Option<(&'static str, bool)>, WrongJson> {
        let Some(name) = self.names.next() else { return Ok(None) };
        self.reader.find(self.begin, name).ok_or_else(WrongJson::malformed).map(|is_there| Some((*name, is_there)))
    }

    #[inline(never)]
    fn end(&mut self) -> Result<(), WrongJson> {
        self.reader.close(self.begin).ok_or_else(WrongJson::malformed)
    }
}

impl<'t> SeqAccess<'t> for Fields<'_, 't> {
    type Error = WrongJson;

    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, WrongJson> {
        match self.next_field()? {
            Some((name, true)) => seed.deserialize(&mut *self.reader).map(Some).map_err(|wrong| wrong.inside(name)),
            // An option is then none; of others the struct knows a default, or that they must not be missing.
            Some((_, false)) => Ok(seed.deserialize(Absent).ok()),
            None => Ok(None),
        }
    }
}

/// A value that is not there.
struct Absent;

impl<'t> Deserializer<'t> for Absent {
    type Error = WrongJson;

    fn deserialize_any<V: Visitor<'t>>(self, _: V) -> Result<V::Value, WrongJson> {
        Err(WrongJson::malformed())
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! { <V: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A key, as written.
struct Key<'t>(&'t str);

impl<'t> Deserializer<'t> for Key<'t> {
    type Error = WrongJson;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, WrongJson> {
        visitor.visit_str(&unescape(self.0).ok_or_else(WrongJson::malformed)?)
    }

    forward_to_deserialize_any! { <V: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Variant<'r, 't> {
    reader: &'r mut Reader<'t>,
    has_contents: bool,
}

impl<'t> EnumAccess<'t> for Variant<'_, 't> {
    type Error = WrongJson;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'t>>(self, seed: V) -> Result<(V::Value, Self), WrongJson> {
        let name = if self.has_contents { self.reader.key() } else { self.reader.string() };
        seed.deserialize(Key(name.ok_or_else(WrongJson::malformed)?)).map(|variant| (variant, self))
    }
}

impl<'t> VariantAccess<'t> for Variant<'_, 't> {
    type Error = WrongJson;

    fn unit_variant(self) -> Result<(), WrongJson> {
        if self.has_contents { Err(WrongJson::expected("no contents")) } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'t>>(self, seed: T) -> Result<T::Value, WrongJson> {
        if self.has_contents { seed.deserialize(self.reader) } else { Err(WrongJson::expected("contents")) }
    }

    fn tuple_variant<V: Visitor<'t>>(self, _: usize, visitor: V) -> Result<V::Value, WrongJson> {
        if self.has_contents { self.reader.deserialize_seq(visitor) } else { Err(WrongJson::expected("contents")) }
    }

    fn struct_variant<V: Visitor<'t>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, WrongJson> {
        if self.has_contents { self.reader.fields(names, visitor) } else { Err(WrongJson::expected("contents")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    enum Shape {
        Point,
        Circle(u32),
        Line(i8, u64),
        Box { width: u16 },
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    struct Everything {
        text: String,
        number: i64,
        list: Vec<Option<bool>>,
        map: BTreeMap<String, Shape>,
        #[serde(default)]
        absent: Option<String>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    enum Currency {
        #[serde(rename = "USD")]
        Usd,
        #[serde(rename = "EUR")]
        Eur,
    }

    /// An amount with two decimal places.
    #[derive(Debug, PartialEq)]
    struct Price(String);

    impl<'de> Deserialize<'de> for Price {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Price, D::Error> {
            let text = String::deserialize(deserializer)?;
            if text.contains('.') { Ok(Price(text)) } else { Err(D::Error::custom("not an amount")) }
        }
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "PascalCase")]
    struct Tier {
        price: Price,
        node_type: u8,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "PascalCase")]
    struct Catalogue {
        currency: Currency,
        tiers: Vec<Tier>,
        days: Vec<u32>,
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let catalogue =
            r#"{"Currency":"USD","Tiers":[{"NodeType":2,"Price":"9.00"},{"NodeType":1,"Price":"5.00"}],"Days":[30]}"#;
        assert!(from_text::<Catalogue>(catalogue).is_ok());
        for (from, to, said) in [
            ("\"NodeType\":1", "\"NodeType\":\"1\"", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":1.5", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":-1", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"NodeType\":1", "\"NodeType\":256", "Tiers.1.NodeType: expected a whole number from 0 to 255"),
            ("\"9.00\"", "\"nine\"", "Tiers.0.Price: not an amount"),
            ("\"9.00\"", "9", "Tiers.0.Price: expected a string"),
            ("\"Days\":[", "\"Days\":7,\"x\":[", "Days: expected an array"),
            ("\"Days\"", "\"Years\"", "Days: missing"),
            ("\"USD\"", "\"XXX\"", "Currency: expected one of USD, EUR"),
            ("},{", "},},{", "Tiers.1: expected an object"),
        ] {
            let wrong = catalogue.replacen(from, to, 1);
            assert_eq!(from_text::<Catalogue>(&wrong).map_err(|wrong| wrong.to_string()), Err(said.to_owned()));
        }
        for text in
            ["", "[]", "{", "{}x", "null", "7", "{\"Price\":\"1.0\"", "{\"Price\" \"1.0\"}", "{\"Price\":\"\\x\"}"]
        {
            assert!(from_text::<Tier>(text).is_err(), "{text}");
        }
        assert_eq!(
            from_text::<(u8, u8)>("[1,2,3]").map_err(|wrong| wrong.to_string()),
            Err("expected fewer items".into())
        );
        assert!(from_text::<(u8, u8)>("[1]").is_err());
        assert!(from_text::<Vec<bool>>("[true,fals]").is_err() && from_text::<Vec<bool>>("[true] ]").is_err());
    }

    #[test]
    fn fields_come_in_any_order_and_may_be_absent_where_the_type_says_so() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct Outer {
            a: u8,
            inner: Option<Inner>,
            #[serde(default)]
            list: Vec<u8>,
        }
        #[derive(Debug, Default, Deserialize, PartialEq)]
        #[serde(default)]
        struct Inner {
            b: u8,
            c: String,
        }
        for (text, read) in [
            (r#"{"a":1}"#, Ok((1, None, vec![]))),
            (r#"{"list":[2],"x":{"a":9},"\u0061":1}"#, Ok((1, None, vec![2]))),
            (r#"{"list":[2],"inner":{},"a":1}"#, Ok((1, Some((0, "")), vec![2]))),
            (r#"{"inner":{"c":"c","b":3},"a":1}"#, Ok((1, Some((3, "c")), vec![]))),
            (r#"{"inner":{"c":"c","b":3}}"#, Err("a: missing")),
            (r#"{"inner":{"c":"c","b":"3"},"a":1}"#, Err("inner.b: expected a whole number from 0 to 255")),
            (r#"{"a":1,"inner":{"b":1},"list":[2],}"#, Err("not JSON")),
            (r#"{"list":[2],"a":1"#, Err("not JSON")),
        ] {
            let inner = |inner: (u8, &str)| Inner { b: inner.0, c: inner.1.to_owned() };
            let expected = read.map(|read| Outer { a: read.0, inner: read.1.map(inner), list: read.2 });
            assert_eq!(from_text(text).map_err(|wrong| wrong.to_string()), expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn fields_that_the_type_does_not_have_are_passed_over() {
        let text = r#" {"x":[{"y":"}"},1e9,null], "text":"a\n\u00e9" ,"number":-5,"list":[],"map":{},"absent":null} "#;
        let read = from_text::<Everything>(text).expect("a value");
        assert_eq!((read.text.as_str(), read.number, read.absent), ("a\né", -5, None));
    }

    #[test]
    fn a_number_that_does_not_fit_says_how() {
        fn wrong<'t, T: Deserialize<'t>>(text: &'t str) -> Option<WrongNumber> {
            from_text::<T>(text).err().and_then(|wrong| wrong.number())
        }
        for (text, number) in [
            ("-1", Some(WrongNumber::LessThan(0))),
            ("70000", Some(WrongNumber::MoreThan(65_535))),
            ("1e10", Some(WrongNumber::MoreThan(65_535))),
            ("123456789012345678901234567890", Some(WrongNumber::MoreThan(65_535))),
            ("-123456789012345678901234567890", Some(WrongNumber::LessThan(0))),
            ("1.5", Some(WrongNumber::NotWhole)),
            ("1.0", Some(WrongNumber::NotWhole)),
            ("5e-324", Some(WrongNumber::NotWhole)),
            ("null", None),
            ("\"80\"", None),
            ("80", None),
        ] {
            assert_eq!(wrong::<u16>(text), number, "{text}");
        }
        assert_eq!(wrong::<i8>("-129"), Some(WrongNumber::LessThan(-128)));
        assert_eq!(wrong::<i64>("-9223372036854775809"), Some(WrongNumber::LessThan(i64::MIN)));
        assert_eq!(from_text::<i64>("-9223372036854775808"), Ok(i64::MIN));
        assert_eq!(from_text::<u64>("18446744073709551615"), Ok(u64::MAX));
        let inside = from_text::<Vec<Tier>>(r#"[{"Price":"1.0","NodeType":-1}]"#).expect_err("a wrong number");
        assert_eq!((inside.at(), inside.number()), ("0.NodeType", Some(WrongNumber::LessThan(0))));
    }

    fn shape() -> impl Strategy<Value = Shape> {
        prop_oneof![
            Just(Shape::Point),
            any::<u32>().prop_map(Shape::Circle),
            any::<(i8, u64)>().prop_map(|(x, y)| Shape::Line(x, y)),
            any::<u16>().prop_map(|width| Shape::Box { width }),
        ]
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_is_read(
            text in ".{0,8}",
            number in any::<i64>(),
            list in prop::collection::vec(any::<Option<bool>>(), 0..4),
            map in prop::collection::btree_map(".{0,4}", shape(), 0..4),
            absent in prop::option::of(".{0,4}"),
        ) {
            let value = Everything { text, number, list, map, absent };
            for text in [serde_json::to_string(&value), serde_json::to_string_pretty(&value)] {
                prop_assert_eq!(from_text(&text.expect("JSON")), Ok(value.clone()));
            }
        }
    }
}
