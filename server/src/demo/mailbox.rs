//! The demo's mailbox: shows the mails that a shop without an SMTP server wrote to files.
use crate::error::AppError;
use crate::http::answer::language_of;
use crate::http::pages::{self, escape};
use crate::jobs;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde_json::Value;
use std::path::Path;

const NEWEST: usize = 20;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(show);
}

#[get("/demo/mail")]
async fn show(app: web::Data<App>, request: HttpRequest) -> Result<HttpResponse, AppError> {
    if !app.config.is_demo() || app.config.smtp.is_some() {
        return Ok(HttpResponse::NotFound().finish());
    }
    let folder = app.config.var_dir.join("mail");
    // The job sends mails within seconds; a visitor of this page wants to read them now.
    jobs::links::answer(&app).await?;
    jobs::mails::send(&app).await?;
    let mails = web::block(move || newest(&folder)).await.map_err(|error| AppError::Internal(error.into()))?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str| app.texts.get(language, &format!("sandbox:mailbox.{key}"), &Value::Null);
    let rows: String = mails.iter().map(|mail| row(mail)).collect();
    let list = if mails.is_empty() {
        format!("<p>{}</p>", escape(&text("empty")))
    } else {
        format!("<ul class=\"mails\">{rows}</ul>")
    };
    let body = format!("<h1>{}</h1><p>{}</p>{list}", escape(&text("title")), escape(&text("lead")));
    Ok(pages::page(StatusCode::OK, language, &text("title"), &body))
}

fn newest(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().rev().take(NEWEST).filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn row(mail: &str) -> String {
    let (head, body) = mail.split_once("\n\n").unwrap_or((mail, ""));
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let words = body.lines().map(|line| if line.starts_with("http") { link(line) } else { escape(line) });
    let body: Vec<String> = words.collect();
    format!(
        "<li><h2>{}</h2><small>{} &middot; {}</small><pre>{}</pre></li>",
        escape(field("Subject: ")),
        escape(field("To: ")),
        escape(field("Date: ")),
        body.join("\n")
    )
}

fn link(address: &str) -> String {
    let address = escape(address.trim());
    format!("<a href=\"{address}\">{address}</a>")
}
