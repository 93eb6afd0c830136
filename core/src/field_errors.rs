//! Field errors of a form: broken rules with their parameters.
use crate::rule::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A broken rule, with the values for its message's placeholders.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Broken {
    pub rule: Rule,
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub params: BTreeMap<String, String>,
}

impl Broken {
    pub fn new(rule: Rule, params: &[(&str, String)]) -> Broken {
        let mut broken = Broken { rule, params: BTreeMap::new() };
        // Inserted one by one: collecting would sort, and sorting adds 3 KB to the wasm file.
        for (name, value) in params {
            broken.params.insert((*name).to_owned(), value.clone());
        }
        debug_assert!(
            params.len() == rule.params().len() && rule.params().iter().all(|name| broken.params.contains_key(*name)),
            "{rule} has {:?}, not {params:?}",
            rule.params(),
        );
        broken
    }
}

/// The broken rules of each field, by the field's name on the wire. Empty if the form is valid.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FieldErrors(
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, Broken[]>"))] pub BTreeMap<String, Vec<Broken>>,
);

/// Both values, or the broken rules of both.
pub fn both<A, B>(first: Result<A, FieldErrors>, second: Result<B, FieldErrors>) -> Result<(A, B), FieldErrors> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(broken), Ok(_)) | (Ok(_), Err(broken)) => Err(broken),
        (Err(mut broken), Err(more)) => {
            for (field, rules) in more.0 {
                broken.0.entry(field).or_default().extend(rules);
            }
            Err(broken)
        }
    }
}

impl FieldErrors {
    pub fn one(field: &str, rule: Rule, params: &[(&str, String)]) -> FieldErrors {
        let mut errors = FieldErrors::default();
        errors.add(field, rule, params);
        errors
    }

    pub fn add(&mut self, field: &str, rule: Rule, params: &[(&str, String)]) {
        self.push(field, Broken::new(rule, params));
    }

    /// Adds a broken rule to a field.
    pub fn push(&mut self, field: &str, broken: Broken) {
        self.0.entry(field.to_owned()).or_default().push(broken);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_result<T>(self, value: T) -> Result<T, FieldErrors> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}
