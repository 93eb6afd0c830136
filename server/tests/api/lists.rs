//! Lists and the catalogue: pages, filters, unknown fields, and public settings.
use crate::shop::{Shop, clients, order_for};
use serde_json::json;

#[actix_web::test]
async fn unknown_fields_are_refused_and_never_ignored() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for body in [json!({"Sort": [{"Field": "Password"}]}), json!({"Filter": {"Colour": "red"}})] {
        assert_eq!(shop.call(&customer, "Ips/GetUserNodeList", body).await.code, 2002);
    }
    let answer = shop.call(&customer, "Wallet/GetTransactionList", json!({"StartTime": "yesterday"})).await;
    assert!(answer.data["Fields"]["StartTime"].is_array());
    assert_eq!(shop.call(&customer, "Ips/NoSuchCall", json!({})).await.code, 3004);
}

#[actix_web::test]
async fn a_list_shows_its_owners_rows_page_by_page() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 12);
    shop.stock("DE", "frankfurt", 3);
    let (customer, other) = (shop.customer(100_000), shop.customer(0));
    let order = shop
        .call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 12), ("DE", "frankfurt", 3)], "75.00"))
        .await;
    shop.call(&customer, "Order/PayOrder", json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"})).await;

    let page = shop.call(&customer, "Ips/GetUserNodeList", json!({"Page": 2, "PageSize": 10})).await;
    assert_eq!((&page.data["Total"], page.data["Rows"].as_array().map(Vec::len)), (&json!(15), Some(5)));
    let german = shop.call(&customer, "Ips/GetUserNodeList", json!({"Filter": {"Country": "DE"}})).await;
    assert_eq!(german.data["Total"], 3);
    let ip = german.data["Rows"][0]["Ip"].as_str().unwrap_or_default().to_owned();
    let found = shop.call(&customer, "Ips/GetUserNodeList", json!({"Search": ip})).await;
    assert!(found.data["Total"].as_i64().is_some_and(|total| total >= 1));
    assert_eq!(shop.call(&customer, "Ips/GetUserNodeList", json!({"Search": "%"})).await.data["Total"], 0);
    assert_eq!(shop.call(&other, "Ips/GetUserNodeList", json!({})).await.data["Total"], 0);
    let sealed = shop.app.db.read_blocking(|conn| {
        use postern_server::db::prelude::*;
        use postern_server::schema::nodes;
        Ok(nodes::table
            .select(nodes::password_sealed)
            .filter(nodes::account_id.is_not_null())
            .first::<Option<String>>(conn)?)
    });
    let shown = german.data["Rows"][0]["Password"].as_str().unwrap_or_default();
    assert!(!sealed.expect("a row").unwrap_or_default().contains(shown), "passwords are not stored as they are");
}

#[actix_web::test]
async fn the_catalogue_has_the_prices_of_the_specification_and_live_stock() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 4);
    let customer = shop.customer(0);
    let catalogue = shop.call(&customer, "Ips/GetServerVer", json!({})).await;
    let tiers = catalogue.data["Tiers"].as_array().cloned().unwrap_or_default();
    let prices: Vec<_> = tiers
        .iter()
        .map(|tier| (tier["LabelZh"].as_str(), tier["Price"].as_str(), tier["NodeType"].as_u64()))
        .collect();
    assert_eq!(
        prices,
        [
            (Some("普通"), Some("5.00"), Some(2)),
            (Some("原生"), Some("9.00"), Some(2)),
            (Some("尊享"), Some("14.00"), Some(1))
        ]
    );
    let places = shop.call(&customer, "Ips/GetCountryList", json!({})).await;
    assert_eq!((&places.data[0]["NameZh"], &places.data[0]["Cities"][0]["NameZh"]), (&json!("美国"), &json!("纽约")));
    assert_eq!(places.data[0]["Cities"][0]["Stock"], 4);
    shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 3)], "15.00")).await;
    let inventory = shop.call(&customer, "Ips/GetServerNodeInventory", json!({})).await;
    assert_eq!(inventory.data[0]["Available"], 1);
}

#[actix_web::test]
async fn every_code_has_a_text_in_both_languages() {
    for language in ["en", "zh"] {
        let path = format!("{}/../locales/{language}/errors.json", env!("CARGO_MANIFEST_DIR"));
        let texts: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("the texts")).expect("JSON");
        for code in postern_core::code::Code::ALL {
            assert!(texts[code.message_key()].is_string(), "{language} {}", code.message_key());
        }
    }
}

#[actix_web::test]
async fn every_response_carries_the_security_headers() {
    let shop = Shop::open();
    for path in ["/health/live", "/health/ready", "/api/openapi.json", "/nowhere"] {
        let response = clients::get(format!("{}{path}", shop.url)).await.expect("a response");
        for header in ["content-security-policy", "x-content-type-options", "referrer-policy", "x-request-id"] {
            assert!(response.headers().contains_key(header), "{path} {header}");
        }
    }
}

#[actix_web::test]
async fn only_a_shop_on_https_sends_what_browsers_refuse_over_http() {
    for (public_url, environment, [hsts, opener]) in [
        ("http://shop.example", "development", [None, None]),
        ("https://shop.example", "production", [Some("max-age=31536000; includeSubDomains"), Some("same-origin")]),
    ] {
        let shop = Shop::open_with(&[("POSTERN_PUBLIC_URL", public_url), ("POSTERN_ENV", environment)]);
        for path in ["/", "/api/SystemSettings/GetPublicConfig", "/nowhere"] {
            let answer = shop.open_page(path).await;
            let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().expect("a text"));
            assert_eq!(header("Strict-Transport-Security"), hsts, "{path}");
            assert_eq!(header("Cross-Origin-Opener-Policy"), opener, "{path}");
        }
    }
}
