//! Writes the lines of a list, in a format or by a template.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{EndpointFormat, Line, Lines};
use crate::endpoint::template::Template;
use crate::field_errors::FieldErrors;

/// Writes lines in a format or by a template.
pub(super) enum Writer {
    Format(Lines),
    Template { template: Template, out: String, count: usize },
}

impl Writer {
    /// Reserves memory for the first `bytes`. Lines of curl request `target`.
    #[inline]
    pub fn new(format: EndpointFormat, template: Option<Template>, target: Option<&str>, bytes: usize) -> Writer {
        match template {
            None => Writer::Format(Lines::new(format, target, bytes)),
            Some(template) => Writer::Template { template, out: String::with_capacity(bytes), count: 0 },
        }
    }

    /// Fails if the line of a template is too long; the others have as many bytes as their parts.
    #[inline]
    pub fn push(&mut self, line: Line<'_>, country: &str, session: &str) -> Result<(), EndpointError> {
        match self {
            Writer::Format(lines) => lines.push(line),
            Writer::Template { template, out, count } => {
                if *count > 0 {
                    out.push('\n');
                }
                *count += 1;
                template.push(out, line, country, session)?;
            }
        }
        Ok(())
    }

    #[inline]
    pub fn written(&mut self) -> &mut String {
        match self {
            Writer::Format(lines) => lines.written(),
            Writer::Template { out, .. } => out,
        }
    }

    #[inline]
    pub fn finish(self) -> String {
        match self {
            Writer::Format(lines) => lines.finish(),
            Writer::Template { out, .. } => out,
        }
    }
}

/// Parses a template, if there is one, and reports its error.
pub(super) fn read_template(template: Option<&str>, errors: &mut FieldErrors) -> Option<Template> {
    match template.map(Template::parse)? {
        Ok(template) => Some(template),
        Err(error) => {
            errors.push(Part::Template.field(), error.into());
            None
        }
    }
}
