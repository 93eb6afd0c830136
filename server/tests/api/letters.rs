//! Mails as received: over SMTP, as files, and in the demo's mailbox.
use crate::mail_server::{Entity, MailServer};
use crate::shop::{Shop, clients, order_for};
use chrono::TimeDelta;
use image::{DynamicImage, ImageFormat};
use mailparse::MailHeaderMap;
use postern_core::language::Language;
use postern_core::mail::{MailState, MailTemplate};
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::{jobs, mails, schema};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io::Cursor;
use std::path::PathBuf;

const LINK: &str = "http://shop.example/password-reset?reset=a&b=1";

async fn sends(shop: &Shop, language: Language, template: MailTemplate, parameters: &Value) {
    let now = shop.app.clock.now();
    let queued =
        shop.app.db.write_blocking(|conn| mails::queue(conn, "ann@example.com", language, template, parameters, now));
    queued.expect("a mail in the queue");
    jobs::mails::send(&shop.app).await.expect("a round");
}

fn shop_with(server: &MailServer, settings: &[(&str, &str)]) -> Shop {
    Shop::open_with(&[&[("POSTERN_SMTP_URL", server.url.as_str())], settings].concat())
}

/// Its plain text and its HTML.
fn text_and_html(mail: &Entity) -> (String, String) {
    let html = &mail.parts[1];
    (mail.parts[0].text(), html.parts.first().unwrap_or(html).text())
}

/// All URLs in an HTML text.
fn addresses(html: &str) -> Vec<&str> {
    let after = |name: &'static str| html.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    ["href=\"", "src=\"", "background=\""].into_iter().flat_map(after).collect()
}

/// The visible text: without tags and parts for programs.
fn words(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let text: String = body.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    ["&lt;<", "&gt;>", "&quot;\"", "&#39;'", "&amp;&"].iter().fold(text, |text, pair| {
        let (name, character) = pair.split_at(pair.len() - 1);
        text.replace(name, character)
    })
}

/// A logo in a temporary file, which is deleted once the shop has started.
fn logo_file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("postern_letters_{}_{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("a logo");
    path
}

fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    DynamicImage::new_rgba8(600, 200).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).expect("a picture");
    bytes
}

/// Keeps mails for inspection if the environment names a folder.
fn keep(name: &str, html: &str) {
    if let Ok(folder) = std::env::var("TEST_MAIL_FOLDER") {
        std::fs::write(PathBuf::from(folder).join(format!("{name}.html")), html).expect("a file");
    }
}

#[actix_web::test]
async fn customer_input_cannot_inject_headers() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[("POSTERN_SHOP_NAME", "Ann's <b>\"fast\"</b> & IPs")]);
    let parameters = json!({
        "Customer": "<script>alert('1')</script>\r\nBcc: all@example.com",
        "Email": "a\"><img src=x>@example.com", "AccountId": 7, "Count": 1,
        "Text": "\"a\" & 'b'\n<img src=x onerror=y>\n\nhttps://evil.example\n{{PublicUrl}}/{{Shop}}",
    });
    for language in [Language::En, Language::Zh] {
        sends(&shop, language, MailTemplate::SupportMessage, &parameters).await;
        let mail = Entity::read(&server.last());
        assert!(!mail.head.contains("\nBcc") && mail.head.matches("Subject: ").count() == 1, "{}", mail.head);
        let (text, html) = text_and_html(&mail);
        assert!(text.contains("<script>") && text.contains("{{PublicUrl}}/{{Shop}}"), "{text}");
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<b>"), "{html}");
        let answer = "http://shop.example/operator/support/7";
        assert_eq!(addresses(&html), [answer, "mailto:support@example.com"], "nothing of theirs is a link");
        let visible = words(&html);
        for part in ["<script>alert('1')</script>", "\"a\" & 'b'<img src=x onerror=y>", "{{PublicUrl}}/{{Shop}}"] {
            assert!(visible.contains(part), "{part} is missing in {visible}");
        }
        assert!(html.contains("&#39;b&#39;<br>&lt;img"), "lines stay lines: {html}");
    }
}

#[actix_web::test]
async fn a_mail_has_the_same_texts_as_plain_text_and_html() {
    let server = MailServer::open();
    let shop =
        shop_with(&server, &[("POSTERN_SHOP_NAME", "Northlight"), ("POSTERN_SUPPORT_EMAIL", "help@shop.example")]);
    for (language, subject, action, support) in [
        (Language::En, "Reset your password for Northlight", "Choose a new password", "Write to help@shop.example"),
        (Language::Zh, "重置您的 Northlight 密码", "设置新密码", "请联系 help@shop.example"),
    ] {
        sends(&shop, language, MailTemplate::ResetPassword, &json!({ "Link": LINK })).await;
        let mail = Entity::read(&server.last());
        assert_eq!(mail.outline(), "multipart/alternative [text/plain, text/html]");
        assert_eq!((mail.field("To"), mail.field("List-Unsubscribe")), ("ann@example.com".into(), String::new()));
        let (text, html) = text_and_html(&mail);
        let fields = json!({ "Shop": "Northlight", "Link": LINK, "LinkMinutes": 60 });
        assert_eq!(text, shop.app.texts.get(language, "mail:reset_password.body", &fields));
        let visible = words(&html);
        for line in text.lines().filter(|line| !line.is_empty()).chain([subject, action, support]) {
            assert!(visible.contains(line), "{line} is missing in {visible}");
        }
        assert!(html.contains(&format!("<html lang=\"{}\">", language.as_str())));
        assert!(html.contains(&format!("<title>{subject}</title>")));
        assert!(html.contains("content=\"light dark\"") && html.contains("prefers-color-scheme:dark"));
        let link = LINK.replace('&', "&amp;");
        assert_eq!(addresses(&html), [link.as_str(), "mailto:help@shop.example"], "nothing is loaded");
        assert!(!html.contains("url(") && !html.contains("@import") && !html.contains("@font-face"));
        assert_eq!(visible.matches(LINK).count(), 1, "the address stands below the button");
        assert!(!visible.to_lowercase().contains("unsubscribe"));
        assert!(!html.contains("cid:") && visible.contains("Northlight"));
    }
}

#[actix_web::test]
async fn every_mail_has_html_in_both_languages_without_placeholders() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[]);
    for template in MailTemplate::ALL {
        for language in [Language::En, Language::Zh] {
            let part = |name: &str| {
                shop.app.texts.template_for(language, &format!("mail:{}.{name}", template.as_str()), &Value::Null)
            };
            let texts = format!("{}{}", part("subject").expect("a subject"), part("body").expect("a body"));
            let names = texts.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name);
            let parameters: Map<String, Value> =
                names.map(|name| (name.to_owned(), format!("A {name}").into())).collect();
            sends(&shop, language, *template, &Value::Object(parameters)).await;
            let (text, html) = text_and_html(&Entity::read(&server.last()));
            keep(&format!("{}-{}", template.as_str(), language.as_str()), &html);
            assert!(!text.contains("{{") && !html.contains("{{"), "{html}");
            assert!(html.lines().all(|line| line.len() < 998) && html.len() < 20_000, "{}", template.as_str());
            let visible = words(&html);
            // Labels and values are in separate cells.
            let pieces = text.split(|letter: char| letter.is_whitespace() || letter == '：');
            for word in pieces.map(|piece| piece.trim_matches(|letter: char| !letter.is_alphanumeric())) {
                assert!(visible.contains(word), "{word} is missing in {visible}");
            }
            assert_eq!(html.matches("<a class=\"button\"").count(), usize::from(part("action").is_some()));
        }
    }
}

/// Read by another parser than our own.
#[actix_web::test]
async fn every_mail_has_a_message_id_and_says_that_a_program_wrote_it() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[("POSTERN_MAIL_FROM", "Northlight <shop@mail.example>")]);
    let mut ids = HashSet::new();
    for template in MailTemplate::ALL {
        for language in [Language::En, Language::Zh] {
            sends(&shop, language, *template, &json!({ "Count": 1 })).await;
            let mail = server.last();
            let (headers, _) = mailparse::parse_headers(mail.as_bytes()).expect("headers");
            assert_eq!(headers.get_all_values("Auto-Submitted"), ["auto-generated"], "{template:?}");
            let named = headers.get_all_values("Message-ID");
            let [id] = named.as_slice() else { panic!("{named:?}") };
            assert_eq!(mailparse::msgidparse(id).expect("an id").len(), 1, "{id}");
            assert!(id.ends_with("@mail.example>"), "{id}");
            assert!(ids.insert(id.clone()), "{id} is of two mails");
            assert!(!headers.get_first_value("Subject").expect("a subject").is_empty());
        }
    }
}

/// A server may have taken a mail whose answer was lost.
#[actix_web::test]
async fn a_mail_that_is_sent_again_keeps_its_message_id() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[]);
    let id = || Entity::read(&server.last()).field("Message-ID");
    sends(&shop, Language::En, MailTemplate::AccountClosed, &json!({})).await;
    let first = id();
    let again = |conn: &mut Conn| {
        diesel::update(schema::mails::table).set(schema::mails::state.eq(MailState::Queued)).execute(conn)?;
        Ok(())
    };
    shop.app.db.write_blocking(again).expect("a mail in the queue again");
    shop.app.clock.advance(TimeDelta::minutes(10));
    jobs::mails::send(&shop.app).await.expect("a round");
    assert_eq!((id(), server.count()), (first, 2));
}

#[actix_web::test]
async fn a_subject_says_how_many() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[]);
    for (template, one, many) in [
        (MailTemplate::Purchased, "Your proxy is ready", "Your 5 proxies are ready"),
        (MailTemplate::RenewalPaid, "Your proxy is renewed", "Your 5 proxies are renewed"),
        (MailTemplate::Renewed, "One of your proxies was renewed", "5 of your proxies were renewed"),
        (MailTemplate::EndingSoon, "One of your proxies expires soon", "5 of your proxies expire soon"),
    ] {
        for (count, subject) in [(1, one), (5, many)] {
            sends(&shop, Language::En, template, &json!({ "Count": count })).await;
            assert_eq!(Entity::read(&server.last()).field("Subject"), subject);
        }
    }
    sends(&shop, Language::Zh, MailTemplate::Purchased, &json!({ "Count": 1 })).await;
    let mail = server.last();
    let (headers, _) = mailparse::parse_headers(mail.as_bytes()).expect("headers");
    assert_eq!(headers.get_first_value("Subject").as_deref(), Some("您的代理已可使用"));
}

#[actix_web::test]
async fn order_mails_have_a_table_and_one_button() {
    let server = MailServer::open();
    let shop = shop_with(&server, &[("POSTERN_BRAND_COLOUR", "#00a651")]);
    shop.stock("US", "new-york", 2);
    shop.stock("FR", "paris", 1);
    let customer = shop.customer(5_000);
    let order_id = shop.buys(&customer, order_for(&[("US", "new-york", 2), ("FR", "paris", 1)], "15.00")).await;
    shop.run_jobs().await;
    let mail = Entity::read(&server.last());
    let (text, html) = text_and_html(&mail);
    keep("purchased-real", &html);
    let unsubscribe = mail.field("List-Unsubscribe").trim_matches(['<', '>']).to_owned();
    assert_eq!(mail.field("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    assert!(unsubscribe.starts_with("http://shop.example/unsubscribe?token="), "{}", mail.head);
    assert!(text.ends_with(&format!(
        "\n--\nYou received this email because you have an account at Postern.\nUnsubscribe from emails of this type\n{unsubscribe}"
    )));
    let found = addresses(&html);
    let order = format!("http://shop.example/order?OrderId={order_id}");
    assert_eq!((found.len(), found[0]), (4, order.as_str()), "{found:?}");
    assert!(found[1].starts_with("http://shop.example/static-residential-proxies/proxy-list?OrderNumber="));
    assert_eq!((found[2], found[3]), ("mailto:support@example.com", unsubscribe.as_str()));
    assert!(html.contains(">Unsubscribe from emails of this type</a>") && html.contains(">Show the order</a>"));
    assert!(html.contains(">Total</td>") && html.contains(">$15.00</td>"), "{html}");
    assert!(html.contains("New York, United States × 2<br>Paris, France × 1"), "{html}");
    assert!(!html.contains("#2457d6"), "it has the seller's colour: {html}");
    assert_eq!(mail.field("Subject"), "Your 3 proxies are ready");
    assert!(words(&html).contains("Your 3 proxies are ready"), "{html}");
}

#[actix_web::test]
async fn png_logos_are_attached_to_mails() {
    let server = MailServer::open();
    let svg = logo_file("logo.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let picture = logo_file("logo.png", &png());
    let parameters = json!({ "Link": LINK });
    for (path, expected) in [
        (&svg, "multipart/alternative [text/plain, text/html]"),
        (&picture, "multipart/alternative [text/plain, multipart/related [text/html, image/png]]"),
    ] {
        let shop = shop_with(&server, &[("POSTERN_LOGO_FILE", path.to_str().expect("a path"))]);
        std::fs::remove_file(path).expect("it is read at the start");
        sends(&shop, Language::En, MailTemplate::ResetPassword, &parameters).await;
        let mail = Entity::read(&server.last());
        assert_eq!(mail.outline(), expected);
        let (_, html) = text_and_html(&mail);
        let Some(image) = mail.parts[1].parts.get(1) else {
            assert!(!html.contains("<img"));
            continue;
        };
        assert_eq!(addresses(&html).last(), Some(&"cid:logo@postern"));
        assert!(html.contains("width=\"120\" height=\"40\" alt=\"Postern\""), "{html}");
        assert_eq!(image.field("Content-ID"), "<logo@postern>");
        assert!(image.field("Content-Disposition").starts_with("inline"), "{}", image.head);
        let shown = image::load_from_memory(&image.content).expect("a PNG");
        assert_eq!((shown.width(), shown.height()), (240, 80), "sharp on screens of a higher resolution");
    }
}

#[actix_web::test]
async fn mails_show_the_name_beside_a_logo_that_is_not_wide() {
    let server = MailServer::open();
    let mut square = Vec::new();
    DynamicImage::new_rgba8(200, 200).write_to(&mut Cursor::new(&mut square), ImageFormat::Png).expect("a picture");
    let path = logo_file("square.png", &square);
    let shop = shop_with(&server, &[("POSTERN_LOGO_FILE", path.to_str().expect("a path"))]);
    std::fs::remove_file(&path).expect("it is read at the start");
    sends(&shop, Language::En, MailTemplate::ResetPassword, &json!({ "Link": LINK })).await;
    let (_, html) = text_and_html(&Entity::read(&server.last()));
    assert!(html.contains("width=\"40\" height=\"40\" alt=\"\""), "{html}");
    assert!(html.contains("padding-left:10px\">Postern</span>"), "{html}");
}

#[actix_web::test]
async fn without_a_mail_server_mails_are_written_to_files() {
    let picture = logo_file("demo.png", &png());
    let shop = Shop::open_with(&[("POSTERN_LOGO_FILE", picture.to_str().expect("a path"))]);
    std::fs::remove_file(picture).expect("it is read at the start");
    sends(&shop, Language::Zh, MailTemplate::ResetPassword, &json!({ "Link": LINK })).await;
    let text = shop.last_mail_to("ann@example.com").expect("a mail");
    let (head, body) = text.split_once("\n\n").expect("a head and a body");
    let fields: Vec<&str> = head.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(fields, ["To", "Date", "Subject"]);
    assert!(body.contains(&format!("\n{LINK}\n")), "{body}");
    let file = shop.app.config.var_dir.join("mail/00000001.html");
    let html = std::fs::read_to_string(&file).expect("a page");
    assert!(html.contains("src=\"data:image/png;base64,iVBOR") && !html.contains("cid:"), "it needs no other file");
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);

    let page = shop.open_page("/demo/mail?lang=en").await.text().await.expect("a page");
    assert!(
        page.contains("<iframe src=\"/demo/mail/1\" title=\"重置您的 Postern 密码\" sandbox=\"")
            && !page.contains("<pre>"),
        "{page}"
    );
    assert!(page.contains("<a href=\"/demo/mail?view=text&amp;lang=en\">"), "{page}");
    let page = shop.open_page("/demo/mail?view=text&lang=en").await.text().await.expect("a page");
    let link = LINK.replace('&', "&amp;");
    assert!(page.contains(&format!("<a href=\"{link}\">{link}</a>")) && !page.contains("<iframe"), "{page}");
    let shown = shop.open_page("/demo/mail/1").await;
    let policy = shown.headers()["content-security-policy"].to_str().expect("a policy").to_owned();
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; img-src data:;"), "{policy}");
    assert!(policy.contains("; sandbox ") && !policy.contains("allow-scripts"), "{policy}");
    assert_eq!(shown.headers()["x-frame-options"], "SAMEORIGIN");
    assert_eq!(shown.text().await.expect("a page"), html.replacen("<head>", "<head><base target=\"_top\">", 1));
    for path in ["/demo/mail/2", "/demo/mail/x", "/demo/mail/..%2fsecret", "/demo/mail/-1"] {
        assert_eq!(shop.open_page(path).await.status().as_u16(), 404, "{path}");
    }
    let server = MailServer::open();
    let sending = shop_with(&server, &[]);
    assert_eq!(sending.open_page("/demo/mail/1").await.status().as_u16(), 404);
}

#[actix_web::test]
async fn the_mailbox_answers_its_own_host_only() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let status = async |path: &str, host: &str| {
        let request = clients::new().get(format!("{}{path}", shop.url)).header("Host", host);
        request.send().await.expect("a response").status().as_u16()
    };
    for path in ["/demo/mail", "/demo/mail/1"] {
        for own in ["127.0.0.1", "127.0.0.1:8080", "localhost:8080", "[::1]:8080", "shop.example", "SHOP.example:80"] {
            assert_eq!(status(path, own).await, 200, "{path} {own}");
        }
        for foreign in
            ["rebound.example", "localhost.example", "127.0.0.1.nip.io", "shop.example.evil.example", "10.0.0.1"]
        {
            assert_eq!(status(path, foreign).await, 404, "{path} {foreign}");
        }
    }
}
