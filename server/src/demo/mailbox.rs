//! The demo's mailbox: shows the mails that a shop without an SMTP server wrote to files, as HTML or plain text.
use crate::brand::pages;
use crate::brand::pages::{escape, linked};
use crate::error::AppError;
use crate::http::answer::language_of;
use crate::jobs;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, X_FRAME_OPTIONS};
use actix_web::{HttpRequest, HttpResponse, get, web};
use postern_core::web_address::{Host, WebAddress};
use serde_json::Value;
use std::path::{Path, PathBuf};

const NEWEST: usize = 20;

/// The content security policy of a mail in its frame: no resources from elsewhere; links may open the shop in the top window.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; \
    sandbox allow-top-navigation-by-user-activation";

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(show).service(show_one);
}

/// The folder of mails, if this request may read them: the page hands out links that sign in, so another site whose name leads to this machine
/// must not read it in a visitor's browser.
fn folder(app: &App, request: &HttpRequest) -> Option<PathBuf> {
    let is_demo = app.config.is_demo() && app.config.smtp_url.is_none();
    (is_demo && is_own_host(app, request)).then(|| app.config.var_dir.join("mail"))
}

/// Whether the request names this machine or the shop's public address. `Host` is all that tells it from a foreign name.
fn is_own_host(app: &App, request: &HttpRequest) -> bool {
    let Some(host) = request.headers().get(HOST).and_then(|host| host.to_str().ok()) else { return false };
    let host_of = |url: &str| WebAddress::parse(url).ok().filter(|url| !url.has_credentials).map(|url| url.host);
    match host_of(&format!("http://{host}/")) {
        Some(Host::Address(address)) if address.is_loopback() => true,
        Some(Host::Name(name)) if name == "localhost" => true,
        asked => asked.is_some() && asked == host_of(&app.config.public_url),
    }
}

#[get("/demo/mail")]
async fn show(app: web::Data<App>, request: HttpRequest) -> Result<HttpResponse, AppError> {
    let Some(folder) = folder(&app, &request) else { return Ok(HttpResponse::NotFound().finish()) };
    // The job sends mails every few seconds; send them now for the visitor of this page.
    jobs::links::answer(&app).await?;
    jobs::mails::send(&app).await?;
    let mails = web::block(move || newest(&folder)).await.map_err(|error| AppError::Internal(error.into()))?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str| app.texts.get(language, &format!("sandbox:mailbox.{key}"), &Value::Null);
    let is_text = request.query_string().split('&').any(|pair| pair == "view=text");
    let rows: String = mails.iter().map(|mail| mail.row(is_text)).collect();
    let list = if mails.is_empty() {
        format!("<p>{}</p>", escape(&text("empty")))
    } else {
        format!("<ul class=\"mails\">{rows}</ul>")
    };
    let (other, view) = if is_text { ("asMails", "") } else { ("asText", "view=text&") };
    let other = linked(&[(text(other), format!("/demo/mail?{view}lang={}", language.as_str()))]);
    let body = format!("<h1>{}</h1><p>{}</p>{other}{list}", escape(&text("title")), escape(&text("lead")));
    Ok(pages::page(&app.letterhead, StatusCode::OK, language, &text("title"), &body))
}

/// A mail for its frame.
#[get("/demo/mail/{number}")]
async fn show_one(app: web::Data<App>, request: HttpRequest, number: web::Path<u64>) -> Result<HttpResponse, AppError> {
    let path = folder(&app, &request).map(|folder| folder.join(format!("{number:08}.html")));
    let html = web::block(move || std::fs::read_to_string(path?).ok()).await;
    let Some(html) = html.map_err(|error| AppError::Internal(error.into()))? else {
        return Ok(HttpResponse::NotFound().finish());
    };
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((X_FRAME_OPTIONS, "SAMEORIGIN"))
        // Links open outside of the frame.
        .body(html.replacen("<head>", "<head><base target=\"_top\">", 1)))
}

struct WrittenMail {
    number: u64,
    text: String,
    has_html: bool,
}

fn newest(folder: &Path) -> Vec<WrittenMail> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths.iter().rev().take(NEWEST).filter_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Option<WrittenMail> {
    let number = path.file_stem()?.to_str()?.parse().ok()?;
    let has_html = path.with_extension("html").exists();
    Some(WrittenMail { number, text: std::fs::read_to_string(path).ok()?, has_html })
}

impl WrittenMail {
    fn row(&self, is_text: bool) -> String {
        let (head, body) = self.text.split_once("\n\n").unwrap_or((&self.text, ""));
        let field = |name: &str| escape(head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default());
        let subject = field("Subject: ");
        let body = if is_text || !self.has_html { as_text(body) } else { self.frame(&subject) };
        format!("<li><h2>{subject}</h2><small>{} &middot; {}</small>{body}</li>", field("To: "), field("Date: "))
    }

    fn frame(&self, subject: &str) -> String {
        format!(
            "<iframe src=\"/demo/mail/{}\" title=\"{subject}\" sandbox=\"allow-top-navigation-by-user-activation\" loading=\"lazy\"></iframe>",
            self.number
        )
    }
}

fn as_text(body: &str) -> String {
    let words = body.lines().map(|line| if line.starts_with("http") { link(line) } else { escape(line) });
    format!("<pre>{}</pre>", words.collect::<Vec<_>>().join("\n"))
}

fn link(address: &str) -> String {
    let address = escape(address.trim());
    format!("<a href=\"{address}\">{address}</a>")
}
