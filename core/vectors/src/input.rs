//! The arguments of a case, and what a rule answers instead of an output.
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use postern_core::field_errors::FieldErrors;
use postern_core::money::{Money, MoneyError};
use postern_core::order::NotAllowed;
use postern_core::params::ScrubError;
use postern_core::quote::Terms;
use postern_core::tier::Catalogue;
use postern_core::time::{from_wire, time_zone};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a rule has no output.
pub enum Refusal {
    Fields(FieldErrors),
    Named(String),
    /// The test vector itself is invalid.
    Input(String),
}

impl From<FieldErrors> for Refusal {
    fn from(fields: FieldErrors) -> Refusal {
        Refusal::Fields(fields)
    }
}

impl From<MoneyError> for Refusal {
    fn from(error: MoneyError) -> Refusal {
        Refusal::Named(format!("{error:?}"))
    }
}

impl From<ScrubError> for Refusal {
    fn from(error: ScrubError) -> Refusal {
        Refusal::Named(match error {
            ScrubError::NotJson => "NotJson".into(),
            ScrubError::NotATime { at } => format!("NotATime {at}"),
            ScrubError::Reversed => "EndsBeforeItBegins".into(),
        })
    }
}

impl<State> From<NotAllowed<State>> for Refusal {
    fn from(_: NotAllowed<State>) -> Refusal {
        Refusal::Named("StateForbids".into())
    }
}

/// The arguments of a case.
pub struct Input<'a>(pub &'a Value);

impl Input<'_> {
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, Refusal> {
        let value = self.0.get(name).cloned().unwrap_or(Value::Null);
        serde_json::from_value(value).map_err(|error| Refusal::Input(format!("{name}: {error}")))
    }

    /// The whole input as a single form.
    pub fn whole<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_value(self.0.clone()).map_err(|error| Refusal::Input(error.to_string()))
    }

    pub fn text(&self, name: &str) -> Result<String, Refusal> {
        self.read(name)
    }

    pub fn money(&self, name: &str) -> Result<Money, Refusal> {
        self.read(name)
    }

    pub fn time(&self, name: &str) -> Result<NaiveDateTime, Refusal> {
        from_wire(&self.text(name)?).ok_or_else(|| Refusal::Input(format!("{name}: not a time")))
    }

    pub fn zone(&self) -> Result<Tz, Refusal> {
        time_zone(&self.text("TimeZone")?).ok_or_else(|| Refusal::Named("UnknownTimeZone".into()))
    }

    /// The given catalogue, or the default one.
    pub fn catalogue(&self) -> Result<Catalogue, Refusal> {
        Ok(self.read::<Option<Catalogue>>("Catalogue")?.unwrap_or_default())
    }

    pub fn terms(&self) -> Result<Terms, Refusal> {
        Ok(self.read::<Option<Terms>>("Terms")?.unwrap_or_default())
    }
}

pub fn to_value(answer: impl Serialize) -> Value {
    // Outputs of rules have only string keys and finite numbers, so this cannot fail.
    serde_json::to_value(answer).unwrap_or(Value::Null)
}

pub fn texts(amounts: &[Money]) -> Value {
    amounts.iter().map(|amount| Value::String(amount.to_string())).collect()
}
