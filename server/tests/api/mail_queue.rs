//! The operator's calls about mails: which were sent, sending again, and previews.
use crate::mail_server::MailServer;
use crate::shop::ports::reserved;
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use postern_core::language::Language;
use postern_core::mail::{ATTEMPTS, MailTemplate};
use postern_server::mails;
use serde_json::{Value, json};

async fn list(shop: &Shop, operator: &Customer, body: Value) -> Vec<Value> {
    let answer = shop.call(operator, "Operator/GetMailList", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["Rows"].as_array().expect("rows").clone()
}

/// Queues a mail, and one with a link that gives access.
fn queue(shop: &Shop, email: &str) {
    let now = shop.app.clock.now();
    let key = shop.app.key.clone();
    let queued = shop.app.db.write_blocking(|conn| {
        let parameters = json!({"Amount": "7.00 USD", "Balance": "9.00 USD", "Reason": "thanks"});
        mails::queue(conn, email, Language::En, MailTemplate::WalletCredited, &parameters, now)?;
        mails::queue_link(conn, &key, email, Language::En, MailTemplate::ResetPassword, "https://x.example/a", now)
    });
    queued.expect("two mails");
}

#[actix_web::test]
async fn what_a_mail_server_refused_is_told_and_sent_again_with_its_content() {
    let shop = Shop::open_with(&[("POSTERN_SMTP_URL", &format!("smtp://{}", reserved()))]);
    let operator = shop.operator();
    let (email, other) = ("Ann@example.com".to_lowercase(), "bob@example.com");
    queue(&shop, &email);
    queue(&shop, other);
    shop.run_jobs().await;
    let rows = list(&shop, &operator, json!({"Search": "ANN@", "Filter": {"State": "queued"}})).await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    let error = rows[0]["Error"].as_str().expect("a reason");
    assert!(error.contains("onnection") && rows[0]["Attempts"] == 1 && rows[0]["CanResend"] == true, "{rows:?}");
    for _ in 1..ATTEMPTS {
        shop.app.clock.advance(TimeDelta::hours(18));
        shop.run_jobs().await;
    }
    let operator = shop.signs_in(&operator);
    let failed = list(&shop, &operator, json!({"Search": email, "Filter": {"State": "failed"}})).await;
    // Newest first: the link is gone, as it gave access.
    assert_eq!(failed.iter().map(|mail| &mail["CanResend"]).collect::<Vec<_>>(), [&json!(false), &json!(true)]);
    let tasks = shop.call(&operator, "Operator/GetTaskList", json!({})).await.data;
    assert!(tasks.as_array().expect("tasks").contains(&json!({"Task": "failed_mails", "Count": 4})), "{tasks}");
    let ids: Vec<Value> = failed.iter().map(|mail| mail["MailId"].clone()).chain([json!(987_654)]).collect();
    let resent = shop.call(&operator, "Operator/ResendMails", json!({ "MailIds": ids })).await;
    assert_eq!(resent.data, json!({"Resent": 1, "Left": 2}), "{resent:?}");
    let waiting = list(&shop, &operator, json!({"Search": email, "Filter": {"State": "queued"}})).await;
    assert_eq!((waiting.len(), &waiting[0]["Attempts"]), (1, &json!(0)));
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "mails_resent"}})).await.data;
    assert_eq!(log["Rows"][0]["Changes"][0]["After"], "1", "{log}");
    // Nothing of it is done twice, and nothing at all is no entry.
    let again = shop.call(&operator, "Operator/ResendMails", json!({ "MailIds": ids })).await;
    assert_eq!(again.data, json!({"Resent": 0, "Left": 3}), "{again:?}");
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "mails_resent"}})).await.data;
    assert_eq!(log["Total"], 1);
}

#[actix_web::test]
async fn a_mail_that_was_given_up_arrives_whole_when_it_is_sent_again() {
    let server = MailServer::open();
    let shop = Shop::open_with(&[("POSTERN_SMTP_URL", &server.url)]);
    let operator = shop.operator();
    queue(&shop, "ann@example.com");
    let given_up = "UPDATE mails SET state = 'failed', attempts = 10, error = '550 no such user'";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(given_up)?)).expect("a failure");
    let rows = list(&shop, &operator, json!({"Filter": {"Template": "wallet_credited"}})).await;
    assert_eq!((&rows[0]["Error"], &rows[0]["State"]), (&json!("550 no such user"), &json!("failed")));
    let ids = json!({"MailIds": [rows[0]["MailId"]]});
    assert_eq!(shop.call(&operator, "Operator/ResendMails", ids).await.data["Resent"], 1);
    shop.run_jobs().await;
    assert!(server.last().contains("7.00"), "{}", server.last());
    let rows = list(&shop, &operator, json!({"Filter": {"State": "sent"}})).await;
    assert_eq!((rows.len(), &rows[0]["Error"], &rows[0]["CanResend"]), (1, &Value::Null, &json!(false)), "{rows:?}");
    for (body, code) in [
        (json!({"Filter": {"State": "lost"}}), 2002),
        (json!({"Filter": {"Nonsense": 1}}), 2002),
        (json!({"Sort": [{"Field": "Recipient"}]}), 2002),
    ] {
        assert_eq!(shop.call(&operator, "Operator/GetMailList", body).await.code, code);
    }
}

#[actix_web::test]
async fn every_mail_is_shown_in_both_languages_without_a_gap() {
    let shop = Shop::open();
    let operator = shop.operator();
    for template in MailTemplate::ALL {
        for language in ["en", "zh"] {
            let asked = json!({"Template": template.as_str(), "Language": language});
            let shown = shop.call(&operator, "Operator/PreviewMail", asked).await;
            assert_eq!(shown.code, 1000, "{shown:?}");
            for part in ["Subject", "Text", "Html"] {
                let text = shown.data[part].as_str().expect("a text");
                assert!(!text.is_empty() && !text.contains("{{") && !text.contains("null"), "{template:?} {text}");
                assert!(!text.contains("security:") && !text.contains("<script"), "{template:?} {text}");
            }
        }
    }
    let unknown = json!({"Template": "nonsense", "Language": "en"});
    assert_eq!(shop.call(&operator, "Operator/PreviewMail", unknown).await.code, 2001);
}
