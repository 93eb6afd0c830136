//! Server-rendered pages: the pay pages of gateways and the demo's mailbox. No scripts.
use crate::brand::logo::Logo;
use crate::colour::{Colour, Tones};
use crate::config::Config;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use postern_core::language::Language;
use std::path::Path;

const STYLE: &str = include_str!("pages.css");

/// The product's mark, in the default colour, for shops without a logo.
const MARK: &str = include_str!("../../../frontend/public/favicon.svg");

/// The files of the built front end with the font, by weight.
const FONTS: [(&str, u32); 2] = [("poppins-latin-400-normal-", 400), ("poppins-latin-600-normal-", 600)];

/// The seller's brand on these pages.
pub struct Letterhead {
    /// Icon and style, for the page's head.
    head: String,
    /// Logo and name, above the card.
    header: String,
}

impl Letterhead {
    pub fn of(config: &Config, logo: Option<&Logo>) -> Letterhead {
        let colour = config.brand_colour.unwrap_or_default();
        let Tones { light, dark, on_dark } = colour.tones();
        let head = format!(
            "<link rel=\"icon\" href=\"{}\"><style>{}{STYLE}:root{{--accent:{light};--on-accent:#fff}}\
             @media (prefers-color-scheme:dark){{:root{{--accent:{dark};--on-accent:{on_dark}}}}}</style>",
            logo.map_or("/favicon.svg", |logo| &logo.path),
            fonts(&config.web_dir)
        );
        let name = escape(&config.shop_name);
        let header = match logo {
            Some(logo) if logo.is_wordmark => format!("<img src=\"{}\" alt=\"{name}\">", logo.path),
            Some(logo) => format!("<img src=\"{}\" alt=\"\">{name}", logo.path),
            None => format!("{}{name}", MARK.trim().replace(&Colour::default().to_string(), &light.to_string())),
        };
        Letterhead { head, header }
    }
}

/// The font faces of a built front end; none before it is built.
fn fonts(web_dir: &Path) -> String {
    let files = std::fs::read_dir(web_dir.join("assets")).into_iter().flatten();
    let names: Vec<String> = files.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    let face = |(beginning, weight)| {
        let name = names.iter().find(|name| name.starts_with(beginning) && name.ends_with(".woff2"))?;
        Some(format!(
            "@font-face{{font-family:Poppins;font-weight:{weight};font-display:swap;src:url(/assets/{name})format('woff2')}}"
        ))
    };
    FONTS.into_iter().filter_map(face).collect()
}

/// A button that submits a form.
pub struct Choice {
    pub value: &'static str,
    pub label: String,
    pub hint: String,
}

/// The language of the `lang` parameter, else the browser's.
pub fn language(request: &HttpRequest, browser: Language) -> Language {
    let pairs = request.query_string().split('&');
    let asked = pairs.filter_map(|pair| pair.strip_prefix("lang=")).next();
    asked.map_or(browser, Language::from_choice)
}

pub fn page(letterhead: &Letterhead, status: StatusCode, language: Language, title: &str, body: &str) -> HttpResponse {
    let Letterhead { head, header } = letterhead;
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\"><title>{}</title>{head}</head>\
         <body><header>{header}</header><main>{body}</main></body></html>",
        language.as_str(),
        escape(title)
    );
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header(("Cache-Control", "no-store"))
        .body(html)
}

/// A notice with links and their texts.
pub fn notice(title: &str, hint: &str, links: &[(String, String)]) -> String {
    format!("<h1>{}</h1><p>{}</p>{}", escape(title), escape(hint), linked(links))
}

/// Links, as HTML.
pub fn linked(links: &[(String, String)]) -> String {
    let link = |(label, path): &(String, String)| format!("<a href=\"{}\">{}</a>", escape(path), escape(label));
    format!("<p class=\"links\">{}</p>", links.iter().map(link).collect::<String>())
}

/// Instructions for paying without a gateway: how much, where to, and what happens next.
pub struct Instructions<'a> {
    pub title: &'a str,
    pub amount: &'a str,
    /// Label and value of each detail of the transfer; line breaks are kept.
    pub rows: &'a [(String, String)],
    pub steps_title: &'a str,
    pub steps: &'a [String],
    pub links: &'a [(String, String)],
}

pub fn instructions(page: &Instructions) -> String {
    let row = |(name, value): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    let step = |text: &String| format!("<li>{}</li>", escape(text));
    format!(
        "<h1>{}</h1><p class=\"amount\">{}</p><dl>{}</dl><h2>{}</h2><ol>{}</ol>{}",
        escape(page.title),
        escape(page.amount),
        page.rows.iter().map(row).collect::<String>(),
        escape(page.steps_title),
        page.steps.iter().map(step).collect::<String>(),
        linked(page.links)
    )
}

/// How to pay at a gateway: how much, what belongs to it, and where to go on.
#[derive(Default)]
pub struct Payment<'a> {
    pub title: &'a str,
    pub amount: &'a str,
    /// Under the amount: what it stands for, how much time is left.
    pub notes: &'a [String],
    /// A QR code as SVG, and what it shows.
    pub code: Option<(String, String)>,
    pub rows: &'a [(String, String)],
    /// Label, hint and address of each way to go on; the first one is highlighted.
    pub choices: &'a [(String, String, String)],
    pub links: &'a [(String, String)],
}

pub fn payment(page: &Payment) -> String {
    let note = |text: &String| format!("<p>{}</p>", escape(text));
    let row = |(name, value): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    let choice = |(label, hint, path): &(String, String, String)| {
        let hint = if hint.is_empty() { String::new() } else { format!("<span>{}</span>", escape(hint)) };
        format!("<a href=\"{}\"><strong>{}</strong>{hint}</a>", escape(path), escape(label))
    };
    let code = page.code.as_ref().map(|(svg, label)| {
        let label = escape(label);
        format!("<figure role=\"img\" aria-label=\"{label}\">{svg}</figure>")
    });
    let rows: String = page.rows.iter().map(row).collect();
    let choices: String = page.choices.iter().map(choice).collect();
    format!(
        "<h1>{}</h1><p class=\"amount\">{}</p>{}{}{}{}{}",
        escape(page.title),
        escape(page.amount),
        page.notes.iter().map(note).collect::<String>(),
        code.unwrap_or_default(),
        if rows.is_empty() { rows } else { format!("<dl>{rows}</dl>") },
        if choices.is_empty() { choices } else { format!("<nav class=\"choices\">{choices}</nav>") },
        linked(page.links)
    )
}

pub fn choose(title: &str, amount: Option<&str>, lead: &str, action: &str, choices: &[Choice]) -> String {
    let button = |choice: &Choice| {
        format!(
            "<button name=\"action\" value=\"{}\"><strong>{}</strong><span>{}</span></button>",
            choice.value,
            escape(&choice.label),
            escape(&choice.hint)
        )
    };
    let buttons: String = choices.iter().map(button).collect();
    let amount = amount.map(|amount| format!("<p class=\"amount\">{}</p>", escape(amount)));
    format!(
        "<h1>{}</h1>{}<p>{}</p><form method=\"post\" action=\"{}\">{buttons}</form>",
        escape(title),
        amount.unwrap_or_default(),
        escape(lead),
        escape(action)
    )
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
