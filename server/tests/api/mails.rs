//! Mails that cannot be sent.
use crate::shop::Shop;
use chrono::TimeDelta;
use postern_core::mail::{ATTEMPTS, MailState};
use postern_server::db::prelude::*;
use postern_server::jobs;
use postern_server::schema::mails;
use serde_json::json;

#[actix_web::test]
async fn a_mail_that_is_given_up_loses_its_link() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    std::fs::write(shop.app.config.var_dir.join("mail"), "in the way of a folder").expect("a file");
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    let found = || {
        let only = mails::table.select((mails::state, mails::parameters, mails::parameters_sealed));
        shop.app.db.read_blocking(|conn| Ok(only.first::<(MailState, String, Option<String>)>(conn)?)).expect("a mail")
    };
    shop.run_jobs().await;
    let (state, parameters, sealed) = found();
    assert_eq!((state, parameters.as_str()), (MailState::Queued, "{}"));
    assert!(
        sealed.is_some_and(|sealed| shop
            .app
            .key
            .open(&sealed)
            .is_ok_and(|text| text.contains("/password-reset?reset=")))
    );
    for _ in 1..ATTEMPTS {
        shop.app.clock.advance(TimeDelta::hours(20));
        jobs::mails::send(&shop.app).await.expect("a round");
    }
    assert_eq!(found(), (MailState::Failed, "{}".to_owned(), None));
}
