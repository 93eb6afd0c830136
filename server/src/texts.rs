//! Texts for mails, messages and pages, in both languages, from the files that the browser loads.
use anyhow::Context;
use postern_core::language::Language;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// All texts, by language and `namespace:key.of.the.text`.
#[derive(Clone)]
pub struct Texts {
    texts: Arc<HashMap<(Language, String), String>>,
}

impl Texts {
    pub fn load(folder: &Path) -> anyhow::Result<Texts> {
        let mut texts = HashMap::new();
        for language in Language::ALL {
            let folder = folder.join(language.as_str());
            for entry in
                std::fs::read_dir(&folder).with_context(|| format!("reading the texts in {}", folder.display()))?
            {
                let path = entry?.path();
                let Some(namespace) = path.file_stem().and_then(|name| name.to_str()) else { continue };
                let content = std::fs::read_to_string(&path)?;
                let value: Value =
                    serde_json::from_str(&content).with_context(|| format!("reading {}", path.display()))?;
                flatten(&format!("{namespace}:"), &value, &mut |key, text| {
                    texts.insert((*language, key), text.to_owned());
                });
            }
        }
        Ok(Texts { texts: Arc::new(texts) })
    }

    /// The text with each `{{Name}}` replaced by a parameter. A missing key returns the key itself; a test over all keys
    /// rules that out.
    pub fn get(&self, language: Language, key: &str, parameters: &Value) -> String {
        let mut text = self.texts.get(&(language, key.to_owned())).cloned().unwrap_or_else(|| key.to_owned());
        if let Value::Object(fields) = parameters {
            for (name, value) in fields {
                let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                text = text.replace(&format!("{{{{{name}}}}}"), &shown);
            }
        }
        text
    }
}

fn flatten(prefix: &str, value: &Value, put: &mut impl FnMut(String, &str)) {
    match value {
        Value::String(text) => put(prefix.to_owned(), text),
        Value::Object(fields) => {
            for (name, inner) in fields {
                let separator = if prefix.ends_with(':') { "" } else { "." };
                flatten(&format!("{prefix}{separator}{name}"), inner, put);
            }
        }
        _ => {}
    }
}
