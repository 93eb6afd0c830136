//! Why a body does not fit the type of its call: which rule each field breaks, in the same words as the forms in the browser, never in those of
//! the parser.
use postern_core::field_errors::FieldErrors;
use postern_core::misfit::{self, Misfit};
use postern_core::rule::Rule;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value, json};
use std::fmt;

/// Larger bodies are not searched: each value that is tried costs a parse.
const SEARCHED_BYTES: usize = 16 << 10;

/// The maximum number of values that are tried.
const TRIES: usize = 64;

/// The broken rules of a body that does not parse. Numbers that do not fit are told all at once, other misfits one at a time.
pub fn misfits<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> FieldErrors {
    let malformed = |detail: String| FieldErrors::one("Body", Rule::Malformed, &[("Detail", detail)]);
    let Ok(body) = serde_json::from_str::<Value>(text) else { return malformed(error.to_string()) };
    if text.len() <= SEARCHED_BYTES {
        let numbers = misfit_numbers::<T>(&body);
        if !numbers.is_empty() {
            return numbers;
        }
    }
    let Err(misfit) = read::<T>(text) else { return malformed(error.to_string()) };
    let rule = if misfit.is_missing() { Rule::Required } else { Rule::WrongValue };
    // Some types read fields into a part of their own, which forgets where they were.
    let found = match text.len() <= SEARCHED_BYTES {
        true if misfit.is_missing() => lacking::<T>(&body, &misfit.path),
        true if misfit.path.is_empty() => blamed::<T>(&body),
        _ => None,
    };
    match found.as_deref().unwrap_or(&misfit.path) {
        "" => malformed(misfit.to_string()),
        path => FieldErrors::one(path, rule, &[]),
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Misfit> {
    misfit::read(&mut serde_json::Deserializer::from_str(text))
}

/// The numbers that no integer type of the fields can hold.
fn misfit_numbers<T: DeserializeOwned>(body: &Value) -> FieldErrors {
    let (mut errors, mut fitting) = (FieldErrors::default(), body.clone());
    let mut numbers = Vec::new();
    walk(body, &mut Path::default(), &mut |path, value| {
        if let Value::Number(number) = value {
            numbers.push((path.clone(), number.clone()));
        }
    });
    for (path, _) in &numbers {
        path.set(&mut fitting, 1.into());
    }
    if !fits::<T>(&fitting) {
        return errors;
    }
    // Those that the fewest types can hold come first.
    numbers
        .sort_by_key(|(_, number)| (number.as_i64().is_some_and(|number| number >= 0), number.as_u64() <= Some(255)));
    for (path, number) in numbers.into_iter().take(TRIES) {
        let mut holds = |number: Value| {
            path.set(&mut fitting, number);
            fits::<T>(&fitting)
        };
        if !holds(Value::Number(number.clone())) {
            let (rule, limit) = broken_rule(&number, holds);
            errors.add(&path.to_string(), rule, limit.as_slice());
        }
        path.set(&mut fitting, 1.into());
    }
    errors
}

/// The rule that a number breaks, with the limit of the first type that can hold it.
fn broken_rule(number: &Number, mut holds: impl FnMut(Value) -> bool) -> (Rule, Option<(&'static str, String)>) {
    let float = number.as_f64().unwrap_or_default();
    if float.fract() != 0.0 {
        return (Rule::NotWhole, None);
    }
    if float < 0.0 {
        let least = [i64::MIN, i32::MIN.into(), i16::MIN.into(), 0].into_iter().find(|least| holds((*least).into()));
        return (Rule::Min, Some(("Min", least.unwrap_or_default().to_string())));
    }
    let limits = [u64::MAX, i64::MAX as u64, u32::MAX.into(), i32::MAX as u64, u16::MAX.into(), u8::MAX.into()];
    let most = limits.into_iter().find(|most| holds((*most).into()));
    (Rule::Max, Some(("Max", most.unwrap_or_default().to_string())))
}

fn fits<T: DeserializeOwned>(body: &Value) -> bool {
    serde_json::from_value::<T>(body.clone()).is_ok()
}

fn fault<T: DeserializeOwned>(body: &Value) -> Option<String> {
    read::<T>(&body.to_string()).err().map(|fault| fault.to_string())
}

/// The path at which a field is missing: with any value there, the body breaks in another way, or not at all.
fn lacking<T: DeserializeOwned>(body: &Value, path: &str) -> Option<String> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let (whole, mut objects) = (fault::<T>(body), Vec::new());
    walk(body, &mut Path::default(), &mut |path, value| {
        if value.is_object() {
            objects.push(path.clone());
        }
    });
    let is_there = |object: &Path| {
        let mut filled = body.clone();
        match object.find(&mut filled) {
            Some(Value::Object(fields)) if !fields.contains_key(name) => fields.insert(name.to_owned(), Value::Null),
            _ => return false,
        };
        fault::<T>(&filled) != whole
    };
    let mut object = objects.into_iter().take(TRIES).find(is_there)?;
    object.0.push(name.to_owned());
    Some(object.to_string())
}

/// The path of the value that does not fit: without it, or with another in its place, the body is read, or something else is wrong with it.
fn blamed<T: DeserializeOwned>(body: &Value) -> Option<String> {
    let (mut path, mut tries) = (Path::default(), 0);
    'deeper: loop {
        let children = path.children(&mut body.clone());
        // First the value without which all is read.
        let turns = [true, false].into_iter().flat_map(|is_last| children.iter().map(move |child| (is_last, child)));
        for (is_last, child) in turns {
            tries += 1;
            if tries > 2 * TRIES {
                break 'deeper;
            }
            let mut inner = path.clone();
            inner.0.push(child.clone());
            let is_mended = |changed: &Value| match read::<T>(&changed.to_string()) {
                Ok(_) => true,
                // A field with a name of its own would have been told by it.
                Err(other) => !is_last && !other.path.is_empty() && !other.path.starts_with(&inner.to_string()),
            };
            let mut without = body.clone();
            path.remove(&mut without, child);
            let others = [json!(""), json!(0), json!(false), json!([]), json!({})].into_iter().map(|other| {
                let mut with_other = body.clone();
                inner.set(&mut with_other, other);
                with_other
            });
            if std::iter::once(without).chain(others).any(|changed| is_mended(&changed)) {
                path = inner;
                continue 'deeper;
            }
        }
        break;
    }
    (!path.0.is_empty()).then(|| path.to_string())
}

/// The keys and indices that lead to a value.
#[derive(Clone, Default)]
struct Path(Vec<String>);

impl Path {
    fn find<'b>(&self, body: &'b mut Value) -> Option<&'b mut Value> {
        self.0.iter().try_fold(body, |value, step| match value {
            Value::Object(fields) => fields.get_mut(step),
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            _ => None,
        })
    }

    fn set(&self, body: &mut Value, new: Value) {
        if let Some(value) = self.find(body) {
            *value = new;
        }
    }

    fn children(&self, body: &mut Value) -> Vec<String> {
        match self.find(body) {
            Some(Value::Object(fields)) => fields.keys().cloned().collect(),
            Some(Value::Array(items)) => (0..items.len().min(TRIES)).map(|index| index.to_string()).collect(),
            _ => Vec::new(),
        }
    }

    fn remove(&self, body: &mut Value, child: &str) {
        match self.find(body) {
            Some(Value::Object(fields)) => drop(fields.remove(child)),
            Some(Value::Array(items)) => drop(child.parse().map(|index: usize| items.remove(index))),
            _ => {}
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("."))
    }
}

/// Visits a value and everything in it.
fn walk(value: &Value, path: &mut Path, visit: &mut impl FnMut(&Path, &Value)) {
    visit(path, value);
    let mut inside = |step: String, value: &Value| {
        path.0.push(step);
        walk(value, path, visit);
        path.0.pop();
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| inside(name.clone(), value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, value)| inside(index.to_string(), value)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::types::CreateOrder;
    use postern_core::quote::QuoteRequest;

    /// The rules that a body breaks, as `Field:rule` with parameters.
    fn broken<T: DeserializeOwned>(text: &str) -> Vec<String> {
        let error = serde_json::from_str::<T>(text).err().expect("a misfit");
        let told = misfits::<T>(text, &error).0.into_iter().flat_map(|(field, broken)| {
            broken.into_iter().map(move |one| {
                let limits: String = one.params.values().map(|limit| format!(" {limit}")).collect();
                format!("{field}:{}{limits}", one.rule)
            })
        });
        told.collect()
    }

    fn order(changed: &[(&str, Value)]) -> String {
        let mut order = json!({
            "VerStr": "shared ISP proxies plan", "PeriodDays": 30, "ExpectedTotal": "5.00",
            "Lines": [{ "Country": "US", "City": "new-york", "Quantity": 1 }, { "Country": "DE", "City": "berlin", "Quantity": 2 }],
        });
        for (pointer, value) in changed {
            *order.pointer_mut(pointer).expect("a field") = value.clone();
        }
        order.to_string()
    }

    #[test]
    fn numbers_that_do_not_fit_are_told_by_field_and_rule_all_at_once() {
        for (number, rule) in [
            (json!(-1), "min 0"),
            (json!(1.5), "notWhole"),
            (json!(4_294_967_296_u64), "max 4294967295"),
            (json!(1e300), "max 4294967295"),
            (json!(-1e300), "min 0"),
        ] {
            let (period, quantity) = ("/PeriodDays", "/Lines/0/Quantity");
            let one = order(&[(quantity, number.clone())]);
            assert_eq!(broken::<CreateOrder>(&one), [format!("Lines.0.Quantity:{rule}")]);
            assert_eq!(broken::<QuoteRequest>(&one), [format!("Lines.0.Quantity:{rule}")]);
            let both = order(&[(period, number.clone()), (quantity, number)]);
            let expected = [format!("Lines.0.Quantity:{rule}"), format!("PeriodDays:{rule}")];
            assert_eq!(broken::<CreateOrder>(&both), expected);
        }
    }

    #[test]
    fn values_of_another_type_and_missing_ones_are_told_by_field() {
        for (pointer, value, told) in [
            ("/VerStr", json!(7), "VerStr:wrongValue"),
            ("/PeriodDays", json!("30"), "PeriodDays:wrongValue"),
            ("/ExpectedTotal", json!("five"), "ExpectedTotal:wrongValue"),
            ("/Lines", json!("all"), "Lines:wrongValue"),
            ("/Lines/0/City", json!(["new-york"]), "Lines.0.City:wrongValue"),
            ("/Lines/1/City", json!([]), "Lines.1.City:wrongValue"),
            ("/Lines/1/Quantity", json!([]), "Lines.1.Quantity:wrongValue"),
            ("/Lines/0/Quantity", json!(null), "Lines.0.Quantity:wrongValue"),
            ("/Lines/0", json!({"Country": "US", "Quantity": 1}), "Lines.0.City:required"),
        ] {
            let text = order(&[(pointer, value)]);
            assert_eq!(broken::<CreateOrder>(&text), [told]);
            if !pointer.contains("Total") {
                assert_eq!(broken::<QuoteRequest>(&text), [told]);
            }
        }
        assert_eq!(
            broken::<CreateOrder>(r#"{"ExpectedTotal":"5.00","Lines":[],"PeriodDays":30}"#),
            ["VerStr:required"]
        );
        assert_eq!(broken::<CreateOrder>("{").len(), 1);
        assert!(broken::<CreateOrder>("{")[0].starts_with("Body:malformed"));
    }

    #[test]
    fn a_large_body_is_not_searched() {
        let ids: Vec<i64> = (0..10_000).collect();
        let large = json!({"NodeIds": ids, "VerStr": 7, "PeriodDays": 30, "ExpectedTotal": "5.00", "Lines": []});
        assert_eq!(broken::<CreateOrder>(&large.to_string()).len(), 1);
    }
}
