//! The error message of a refused command.
use crate::error::{AppError, Refusal};
use crate::http::answer::refusal_text;
use crate::state::App;
use postern_core::language::Language;

/// The error message of a refused command.
pub(super) fn refusal(app: &App, error: &AppError) -> anyhow::Error {
    let AppError::Answer(Refusal { code, data }) = error else { return anyhow::anyhow!("{error}") };
    let text = refusal_text(app, Language::En, *code, data);
    let fields = data["Fields"].as_object().into_iter().flatten().map(|(field, broken)| {
        let rule = broken[0]["Rule"].as_str().unwrap_or_default();
        let text = app.texts.get(Language::En, &format!("validation:{rule}"), &broken[0]["Params"]);
        format!("\n  {field}: {text}")
    });
    anyhow::anyhow!("{text}{}", fields.collect::<String>())
}
