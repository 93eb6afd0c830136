//! The HTML of a mail: a card with heading, paragraphs and one button, in tables and inline styles, which mail clients preserve. Loads no external
//! resources.
use crate::brand::logo::Logo;
use crate::brand::pages::escape;
use crate::colour::{Colour, Tones};
use crate::letters::parts::{Part, parts};
use crate::texts::filled;
use postern_core::language::Language;
use serde_json::{Map, Value, json};

/// The content id of the logo, which is attached to the mail: mail clients block external images by default, and an external URL would track when the
/// mail is read.
pub const LOGO_ID: &str = "logo@postern";

const FONT: &str =
    "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'PingFang SC','Microsoft YaHei',sans-serif";
/// Breaks long URLs and words, so that they do not widen the card.
const BREAKS: &str = "overflow-wrap:anywhere;word-break:break-word";
/// A layout table.
const TABLE: &str = "table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"";

/// The texts of a mail with placeholders, and the values to fill in.
pub struct Content<'a> {
    pub language: Language,
    pub subject: &'a str,
    pub body: &'a str,
    /// The button's label.
    pub action: Option<&'a str>,
    pub support: &'a str,
    /// How the recipient can unsubscribe from mails of this kind.
    pub ending: Option<Ending<'a>>,
    pub parameters: &'a Value,
}

/// Why a mail was sent, and the link to unsubscribe from mails of its kind.
pub struct Ending<'a> {
    pub why: &'a str,
    pub label: &'a str,
    pub link: &'a str,
}

struct Writer<'a> {
    content: &'a Content<'a>,
    /// Escaped for HTML.
    parameters: Value,
    tones: Tones,
}

pub fn page(content: &Content, colour: Colour, logo: Option<&Logo>) -> String {
    let writer = Writer { content, parameters: escaped(content.parameters), tones: colour.tones() };
    let (name, heading) = (writer.html("{{Shop}}"), writer.heading());
    let title = heading.replace("<br>", " ");
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <meta name=\"format-detection\" content=\"telephone=no, date=no, address=no\">\n\
         <title>{title}</title>\n<style>{}</style>\n</head>\n\
         <body class=\"page\" style=\"margin:0;padding:0;background:#f6f7f9\">\n\
         <{TABLE} class=\"page\" bgcolor=\"#f6f7f9\" style=\"background:#f6f7f9\"><tr><td align=\"center\" style=\"padding:24px 12px\">\n\
         <!--[if mso]><table role=\"presentation\" width=\"600\" cellpadding=\"0\" cellspacing=\"0\"><tr><td><![endif]-->\n\
         <{TABLE} style=\"max-width:600px;margin:0 auto\">\n\
         <tr><td style=\"padding:0 4px 16px\">{}</td></tr>\n\
         <tr><td class=\"card\" bgcolor=\"#ffffff\" style=\"padding:32px 28px 12px;background:#ffffff;border:1px solid #e1e5ea;border-radius:6px\">\n\
         <h1 class=\"text\" style=\"margin:0 0 20px;{FONT};font-size:20px;line-height:28px;font-weight:600;color:#17212d;{BREAKS}\">{heading}</h1>\n\
         {}</td></tr>\n\
         <tr><td style=\"padding:20px 4px 0\">\n{}</td></tr>\n</table>\n\
         <!--[if mso]></td></tr></table><![endif]-->\n</td></tr></table>\n</body>\n</html>\n",
        content.language.as_str(),
        writer.dark(),
        letterhead(&name, logo),
        writer.body(),
        writer.footer(&name),
    )
}

/// Escapes every value for HTML.
fn escaped(parameters: &Value) -> Value {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let field = |(name, value): (&String, &Value)| (name.clone(), Value::String(escape(&text(value))));
    Value::Object(parameters.as_object().map_or_else(Map::new, |fields| fields.iter().map(field).collect()))
}

/// The logo if it is a format that mail clients show, and the shop's name unless the logo has it.
fn letterhead(name: &str, logo: Option<&Logo>) -> String {
    let style = format!("{FONT};font-size:16px;font-weight:600;color:#17212d");
    let Some((logo, picture)) = logo.and_then(|logo| Some((logo, logo.in_mails.as_ref()?))) else {
        return format!("<div class=\"text\" style=\"line-height:24px;{style}\">{name}</div>");
    };
    let (width, height) = picture.shown;
    let image = |alt: &str, display: &str| {
        format!(
            "<img class=\"logo\" src=\"cid:{LOGO_ID}\" width=\"{width}\" height=\"{height}\" alt=\"{alt}\" \
             style=\"{display};border:0;{style}\">"
        )
    };
    if logo.is_wordmark {
        return image(name, "display:block");
    }
    format!(
        "<div class=\"text\" style=\"{style}\">{}<span style=\"vertical-align:middle;padding-left:10px\">{name}</span></div>",
        image("", "vertical-align:middle")
    )
}

impl Writer<'_> {
    /// One of our texts with the values filled in.
    fn html(&self, text: &str) -> String {
        filled(&escape(text), &self.parameters).replace('\r', "").trim().replace('\n', "<br>")
    }

    /// The subject without the shop's name, which is already in the letterhead.
    fn heading(&self) -> String {
        let subject = self.content.subject;
        let rest = subject.strip_prefix("{{Shop}}: ").or_else(|| subject.strip_prefix("{{Shop}}："));
        let rest = rest.unwrap_or(subject);
        let mut letters = rest.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        self.html(&format!("{first}{}", letters.as_str()))
    }

    fn body(&self) -> String {
        let mut action = self.content.action;
        let part = |part: &Part| match part {
            Part::Text(text) => self.paragraph(text),
            Part::Facts(facts) => self.facts(facts),
            Part::Lines(values) => self.lines(values),
            // The first link is the action of the mail.
            Part::Link(link) => action.take().map_or_else(|| self.link(link), |label| self.button(label, link)),
        };
        parts(self.content.body).iter().map(part).collect()
    }

    fn paragraph(&self, text: &str) -> String {
        format!(
            "<p class=\"text\" style=\"margin:0 0 16px;{FONT};font-size:15px;line-height:24px;color:#17212d;{BREAKS}\">{}</p>\n",
            self.html(text)
        )
    }

    fn facts(&self, facts: &[(&str, &str)]) -> String {
        let cell = format!("{FONT};font-size:14px;line-height:22px;vertical-align:top");
        let row = |(label, value): &(&str, &str)| {
            format!(
                "<tr><td class=\"soft\" width=\"30%\" style=\"padding:4px 12px 4px 0;{cell};color:#566372\">{}</td>\
                 <td class=\"text\" style=\"padding:4px 0;{cell};color:#17212d;{BREAKS}\">{}</td></tr>\n",
                self.html(label),
                self.html(value)
            )
        };
        let rows: String = facts.iter().map(row).collect();
        format!("<{TABLE} style=\"margin:0 0 16px\">\n{rows}</table>\n")
    }

    /// The lines of a list or of free text.
    fn lines(&self, values: &str) -> String {
        format!(
            "<{TABLE} style=\"margin:0 0 16px\"><tr><td class=\"sunken text\" bgcolor=\"#eff1f4\" \
             style=\"padding:12px 16px;background:#eff1f4;border-radius:6px;{FONT};font-size:14px;line-height:22px;color:#17212d;{BREAKS}\">\
             {}</td></tr></table>\n",
            self.html(values)
        )
    }

    fn link(&self, link: &str) -> String {
        let address = self.html(link);
        format!(
            "<p style=\"margin:0 0 16px;{FONT};font-size:14px;line-height:22px;{BREAKS}\">{}</p>\n",
            self.anchor(&address, &address)
        )
    }

    fn anchor(&self, address: &str, text: &str) -> String {
        format!("<a class=\"accent\" href=\"{address}\" style=\"color:{}\">{text}</a>", self.tones.light)
    }

    /// A button, with its URL below for recipients who want to see it first or cannot click.
    fn button(&self, label: &str, link: &str) -> String {
        let (accent, address) = (self.tones.light, self.html(link));
        format!(
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"margin:0 0 12px\"><tr>\
             <td class=\"button\" bgcolor=\"{accent}\" style=\"background:{accent};border-radius:6px;mso-padding-alt:11px 22px\">\
             <a class=\"button\" href=\"{address}\" style=\"display:inline-block;padding:11px 22px;background:{accent};border-radius:6px;\
             {FONT};font-size:15px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none\">{}</a></td></tr></table>\n\
             <p class=\"soft\" style=\"margin:0 0 20px;{FONT};font-size:12px;line-height:18px;color:#566372;{BREAKS}\">{address}</p>\n",
            self.html(label)
        )
    }

    fn footer(&self, name: &str) -> String {
        let line = |html: &str| {
            format!(
                "<p class=\"soft\" style=\"margin:0 0 8px;{FONT};font-size:12px;line-height:18px;color:#566372;{BREAKS}\">{html}</p>\n"
            )
        };
        let email = self.html("{{SupportEmail}}");
        let link = self.anchor(&format!("mailto:{email}"), &email);
        let support = filled(&escape(self.content.support), &json!({ "SupportEmail": link }));
        let ending = self.content.ending.as_ref().map(|Ending { why, label, link }| {
            line(&format!("{} {}", self.html(why), self.anchor(&escape(link), &self.html(label))))
        });
        format!("{}{}{}", line(&format!("<strong>{name}</strong>")), line(&support), ending.unwrap_or_default())
    }

    /// The styles of the dark theme, for mail clients that support it.
    fn dark(&self) -> String {
        let Tones { dark, on_dark, .. } = self.tones;
        format!(
            ":root{{color-scheme:light dark;supported-color-schemes:light dark}}\
             @media (prefers-color-scheme:dark){{\
             .page{{background:#0e1217!important}}\
             .card{{background:#151a21!important;border-color:#28303b!important}}\
             .sunken{{background:#1b222b!important}}\
             .text{{color:#e7ebf0!important}}\
             .soft{{color:#9ba8b7!important}}\
             .accent{{color:{dark}!important}}\
             .button{{background:{dark}!important}}\
             a.button{{color:{on_dark}!important}}\
             .logo{{padding:6px 8px;background:#ffffff;border-radius:4px}}}}"
        )
    }
}
