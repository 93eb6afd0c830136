//! Deserialises types from JSON text through serde. Floats are not supported: every numeric type is an integer.
use crate::error::{Bounds, JsonError, NumberError};
use crate::reader::Reader;
use crate::value::unescape;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::borrow::Cow;

/// Deserialises a value of this type. Unknown fields are ignored.
pub fn from_text<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, JsonError> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader)?;
    if reader.is_at_end() { Ok(value) } else { Err(JsonError::malformed()) }
}

impl<'t> Reader<'t> {
    #[inline(never)]
    fn read_plain(&mut self) -> Result<&'t str, JsonError> {
        self.plain().ok_or_else(JsonError::malformed)
    }

    #[inline(never)]
    fn read_text(&mut self) -> Result<Cow<'t, str>, JsonError> {
        self.string().and_then(unescape).ok_or_else(JsonError::malformed)
    }

    #[inline(never)]
    fn read_whole(&mut self, bounds: Bounds) -> Result<Whole, JsonError> {
        if !matches!(self.next_byte(), Some(b'-' | b'0'..=b'9')) {
            return Err(JsonError::expected_whole(bounds, None));
        }
        let written = self.read_plain()?;
        let error = |number| Err(JsonError::expected_whole(bounds, Some(number)));
        let (is_negative, digits) = written.strip_prefix('-').map_or((false, written), |digits| (true, digits));
        // It has a fraction or a negative exponent. A positive exponent makes a number too large.
        if digits.bytes().any(|byte| matches!(byte, b'.' | b'-')) {
            return error(NumberError::NotWhole);
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
            _ if is_negative => error(NumberError::LessThan(bounds.min)),
            _ => error(NumberError::MoreThan(bounds.max)),
        }
    }

    fn whole<V: Visitor<'t>>(&mut self, min: i64, max: u64, visitor: V) -> Result<V::Value, JsonError> {
        match self.read_whole(Bounds { min, max })? {
            Whole::Positive(number) => visitor.visit_u64(number),
            Whole::Negative(number) => visitor.visit_i64(number),
        }
    }

    /// A struct is deserialised as the sequence of its fields, each looked up by name, so that all structs share the code for names,
    /// duplicates and order.
    fn fields<V: Visitor<'t>>(&mut self, names: &'static [&'static str], visitor: V) -> Result<V::Value, JsonError> {
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
        $(fn $method<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
            self.whole(<$type>::MIN as i64, <$type>::MAX as u64, visitor)
        })+
    };
}

impl<'t> Deserializer<'t> for &mut Reader<'t> {
    type Error = JsonError;

    read_wholes! {
        deserialize_u8: u8 deserialize_u16: u16 deserialize_u32: u32 deserialize_u64: u64
        deserialize_i8: i8 deserialize_i16: i16 deserialize_i32: i32 deserialize_i64: i64
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        self.fields(names, visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        if self.next_byte() != Some(b'{') {
            return Err(JsonError::expected("an object"));
        }
        let mut items = Items::of(self)?;
        let value = visitor.visit_map(&mut items)?;
        items.end(b'}').map(|()| value)
    }

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b'"') => self.deserialize_str(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.whole(i64::MIN, u64::MAX, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b't' | b'f') => visitor.visit_bool(self.read_plain()? == "true"),
            _ => Err(JsonError::expected("true or false")),
        }
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b'"') => match self.read_text()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            _ => Err(JsonError::expected("a string")),
        }
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b'n') => self.read_plain().and_then(|_| visitor.visit_unit()),
            _ => Err(JsonError::expected("null")),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b'n') => self.read_plain().and_then(|_| visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, _: &'static str, visitor: V) -> Result<V::Value, JsonError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        if self.next_byte() != Some(b'[') {
            return Err(JsonError::expected("an array"));
        }
        let mut items = Items::of(self)?;
        let value = visitor.visit_seq(&mut items)?;
        items.end(b']').map(|()| value)
    }

    /// A unit variant is its name; any other variant is an object with its name as key and its contents as value.
    fn deserialize_enum<V: Visitor<'t>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        match self.next_byte() {
            Some(b'"') => visitor.visit_enum(Variant { reader: self, has_contents: false }),
            Some(b'{') => {
                self.open().ok_or_else(JsonError::malformed)?;
                let value = visitor.visit_enum(Variant { reader: self, has_contents: true })?;
                match self.next_item(b'}', false) {
                    Some(false) => Ok(value),
                    _ => Err(JsonError::malformed()),
                }
            }
            _ => Err(JsonError::expected_one_of(variants)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.value().ok_or_else(JsonError::malformed).and_then(|_| visitor.visit_unit())
    }

    forward_to_deserialize_any! { <V: Visitor<'t>> i128 u128 f32 f64 char bytes byte_buf unit_struct tuple tuple_struct }
}

/// The items of an array or the entries of an object.
struct Items<'r, 't> {
    reader: &'r mut Reader<'t>,
    count: usize,
    has_ended: bool,
    key: &'t str,
}

impl<'r, 't> Items<'r, 't> {
    #[inline(never)]
    fn of(reader: &'r mut Reader<'t>) -> Result<Items<'r, 't>, JsonError> {
        reader.open().ok_or_else(JsonError::malformed)?;
        Ok(Items { reader, count: 0, has_ended: false, key: "" })
    }

    #[inline(never)]
    fn next_item(&mut self, end: u8) -> Result<bool, JsonError> {
        let next = self.reader.next_item(end, self.count == 0).ok_or_else(JsonError::malformed)?;
        self.count += 1;
        self.has_ended = !next;
        Ok(next)
    }

    /// A tuple reads as many items as it has; more are an error.
    #[inline(never)]
    fn end(&mut self, end: u8) -> Result<(), JsonError> {
        if !self.has_ended && self.next_item(end)? { Err(JsonError::expected("fewer items")) } else { Ok(()) }
    }
}

impl<'t> SeqAccess<'t> for Items<'_, 't> {
    type Error = JsonError;

    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, JsonError> {
        if !self.next_item(b']')? {
            return Ok(None);
        }
        let index = self.count - 1;
        seed.deserialize(&mut *self.reader).map(Some).map_err(|wrong| wrong.at_index(index))
    }
}

impl<'t> MapAccess<'t> for Items<'_, 't> {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, JsonError> {
        if !self.next_item(b'}')? {
            return Ok(None);
        }
        self.key = self.reader.key().ok_or_else(JsonError::malformed)?;
        seed.deserialize(Key(self.key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, JsonError> {
        let key = self.key;
        seed.deserialize(&mut *self.reader).map_err(|wrong| wrong.inside(key))
    }
}

/// The fields of a struct, looked up by name.
struct Fields<'r, 't> {
    reader: &'r mut Reader<'t>,
    names: std::slice::Iter<'static, &'static str>,
    begin: usize,
}

impl<'r, 't> Fields<'r, 't> {
    #[inline(never)]
    fn of(reader: &'r mut Reader<'t>, names: &'static [&'static str]) -> Result<Fields<'r, 't>, JsonError> {
        if reader.next_byte() != Some(b'{') {
            return Err(JsonError::expected("an object"));
        }
        reader.open().ok_or_else(JsonError::malformed)?;
        let begin = reader.position();
        Ok(Fields { reader, names: names.iter(), begin })
    }

    /// Seeks the value of the next field; returns the field's name, and whether it is present.
    #[inline(never)]
    fn next_field(&mut self) -> Result<Option<(&'static str, bool)>, JsonError> {
        let Some(name) = self.names.next() else { return Ok(None) };
        self.reader.find(self.begin, name).ok_or_else(JsonError::malformed).map(|is_there| Some((*name, is_there)))
    }

    #[inline(never)]
    fn end(&mut self) -> Result<(), JsonError> {
        self.reader.close(self.begin).ok_or_else(JsonError::malformed)
    }
}

impl<'t> SeqAccess<'t> for Fields<'_, 't> {
    type Error = JsonError;

    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, JsonError> {
        match self.next_field()? {
            Some((name, true)) => seed.deserialize(&mut *self.reader).map(Some).map_err(|wrong| wrong.inside(name)),
            // An absent `Option` is `None`; for other types the struct has a default or reports the field as missing.
            Some((_, false)) => Ok(seed.deserialize(Absent).ok()),
            None => Ok(None),
        }
    }
}

/// An absent value.
struct Absent;

impl<'t> Deserializer<'t> for Absent {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'t>>(self, _: V) -> Result<V::Value, JsonError> {
        Err(JsonError::malformed())
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
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
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, JsonError> {
        visitor.visit_str(&unescape(self.0).ok_or_else(JsonError::malformed)?)
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
    type Error = JsonError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'t>>(self, seed: V) -> Result<(V::Value, Self), JsonError> {
        let name = if self.has_contents { self.reader.key() } else { self.reader.string() };
        seed.deserialize(Key(name.ok_or_else(JsonError::malformed)?)).map(|variant| (variant, self))
    }
}

impl<'t> VariantAccess<'t> for Variant<'_, 't> {
    type Error = JsonError;

    fn unit_variant(self) -> Result<(), JsonError> {
        if self.has_contents { Err(JsonError::expected("no contents")) } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'t>>(self, seed: T) -> Result<T::Value, JsonError> {
        if self.has_contents { seed.deserialize(self.reader) } else { Err(JsonError::expected("contents")) }
    }

    fn tuple_variant<V: Visitor<'t>>(self, _: usize, visitor: V) -> Result<V::Value, JsonError> {
        if self.has_contents { self.reader.deserialize_seq(visitor) } else { Err(JsonError::expected("contents")) }
    }

    fn struct_variant<V: Visitor<'t>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, JsonError> {
        if self.has_contents { self.reader.fields(names, visitor) } else { Err(JsonError::expected("contents")) }
    }
}

#[cfg(test)]
mod tests;
