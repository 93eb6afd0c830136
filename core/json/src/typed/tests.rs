//! Deserialisation agrees with serde_json, and errors name the path of the wrong value.
use super::*;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::Error;
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
fn errors_name_the_path_of_the_wrong_value() {
    let catalogue =
        r#"{"Currency":"USD","Tiers":[{"NodeType":2,"Price":"9.00"},{"NodeType":1,"Price":"5.00"}],"Days":[30]}"#;
    assert!(from_text::<Catalogue>(catalogue).is_ok());
    for (from, to, message) in [
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
        assert_eq!(from_text::<Catalogue>(&wrong).map_err(|wrong| wrong.to_string()), Err(message.to_owned()));
    }
    for text in ["", "[]", "{", "{}x", "null", "7", "{\"Price\":\"1.0\"", "{\"Price\" \"1.0\"}", "{\"Price\":\"\\x\"}"]
    {
        assert!(from_text::<Tier>(text).is_err(), "{text}");
    }
    assert_eq!(from_text::<(u8, u8)>("[1,2,3]").map_err(|wrong| wrong.to_string()), Err("expected fewer items".into()));
    assert!(from_text::<(u8, u8)>("[1]").is_err());
    assert!(from_text::<Vec<bool>>("[true,fals]").is_err() && from_text::<Vec<bool>>("[true] ]").is_err());
}

#[test]
fn fields_may_be_in_any_order_and_absent_if_optional() {
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
fn unknown_fields_are_ignored() {
    let text = r#" {"x":[{"y":"}"},1e9,null], "text":"a\n\u00e9" ,"number":-5,"list":[],"map":{},"absent":null} "#;
    let read = from_text::<Everything>(text).expect("a value");
    assert_eq!((read.text.as_str(), read.number, read.absent), ("a\né", -5, None));
}

#[test]
fn a_number_out_of_range_names_the_exceeded_bound() {
    fn number_error<'t, T: Deserialize<'t>>(text: &'t str) -> Option<NumberError> {
        from_text::<T>(text).err().and_then(|error| error.number())
    }
    for (text, number) in [
        ("-1", Some(NumberError::LessThan(0))),
        ("70000", Some(NumberError::MoreThan(65_535))),
        ("1e10", Some(NumberError::MoreThan(65_535))),
        ("123456789012345678901234567890", Some(NumberError::MoreThan(65_535))),
        ("-123456789012345678901234567890", Some(NumberError::LessThan(0))),
        ("1.5", Some(NumberError::NotWhole)),
        ("1.0", Some(NumberError::NotWhole)),
        ("5e-324", Some(NumberError::NotWhole)),
        ("null", None),
        ("\"80\"", None),
        ("80", None),
    ] {
        assert_eq!(number_error::<u16>(text), number, "{text}");
    }
    assert_eq!(number_error::<i8>("-129"), Some(NumberError::LessThan(-128)));
    assert_eq!(number_error::<i64>("-9223372036854775809"), Some(NumberError::LessThan(i64::MIN)));
    assert_eq!(from_text::<i64>("-9223372036854775808"), Ok(i64::MIN));
    assert_eq!(from_text::<u64>("18446744073709551615"), Ok(u64::MAX));
    let inside = from_text::<Vec<Tier>>(r#"[{"Price":"1.0","NodeType":-1}]"#).expect_err("a wrong number");
    assert_eq!((inside.path(), inside.number()), ("0.NodeType", Some(NumberError::LessThan(0))));
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
    fn output_of_serde_json_is_read(
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
