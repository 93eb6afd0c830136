//! The shop examined by an operator's call: what `postern doctor` finds, by key.
use crate::shop::Shop;
use diesel::connection::SimpleConnection;
use serde_json::{Value, json};

async fn examined(shop: &Shop) -> Vec<Value> {
    let answer = shop.call(&shop.operator(), "Operator/ExamineShop", json!({})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    assert!(answer.data["TookMs"].is_i64() && answer.data["ExaminedAt"].is_string(), "{answer:?}");
    answer.data["Findings"].as_array().expect("findings").clone()
}

fn of<'f>(findings: &'f [Value], check: &str) -> &'f Value {
    findings.iter().find(|one| one["Check"] == check).unwrap_or_else(|| panic!("nothing about {check}: {findings:?}"))
}

#[actix_web::test]
async fn an_operator_sees_what_is_wrong_by_key() {
    let shop = Shop::open();
    shop.run_jobs().await;
    let found = examined(&shop).await;
    for check in
        ["sharedSettings", "publicUrl", "dataFolder", "diskSpace", "database", "migrations", "secretKey", "jobs"]
    {
        assert_eq!(of(&found, check)["Severity"], "ok", "{check}: {found:?}");
    }
    let stock = of(&found, "stock");
    assert_eq!((&stock["Severity"], &stock["Diagnosis"]), (&json!("warning"), &json!("stockEmpty")));
    assert_eq!(of(&found, "operators")["Params"], json!({"Count": "1"}));
    shop.app
        .db
        .write_blocking(|conn| Ok(conn.batch_execute("UPDATE tiers SET is_sold = FALSE; DELETE FROM traffic_steps")?))
        .expect("SQL");
    let found = examined(&shop).await;
    let prices = of(&found, "prices");
    assert_eq!((&prices["Severity"], &prices["Diagnosis"]), (&json!("fault"), &json!("nothingOnSale")), "{prices}");
}

#[actix_web::test]
async fn secrets_of_the_settings_are_covered_and_only_operators_examine() {
    let shop = Shop::open_with(&[("POSTERN_SMTP_URL", "smtp://ann:s3cret-smtp@127.0.0.1:9")]);
    let found = examined(&shop).await;
    assert_eq!(of(&found, "mailServer")["Severity"], "fault");
    assert!(!format!("{found:?}").contains("s3cret-smtp"), "{found:?}");
    assert_eq!(shop.call(&shop.customer(0), "Operator/ExamineShop", json!({})).await.code, 3003);
    let operator = shop.operator();
    let mut codes = Vec::new();
    for _ in 0..21 {
        codes.push(shop.call(&operator, "Operator/ExamineShop", json!({})).await.code);
    }
    assert_eq!((codes[0], codes[20]), (1000, 4290), "{codes:?}");
}
