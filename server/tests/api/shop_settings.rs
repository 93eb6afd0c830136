//! The settings that all servers of a shop share.
use crate::shop::{Customer, Shop, order_for};
use crate::start_up::{Serving, command, said};
use postern_server::db::prelude::*;
use postern_server::schema::sellers;
use serde_json::json;

const SELLER: [(&str, &str); 3] = [
    ("POSTERN_SELLER_NAME", "Northlight Proxies Ltd"),
    ("POSTERN_SELLER_ADDRESS", "1 Harbour Road | Cork"),
    ("POSTERN_SELLER_TAX_NUMBER", "IE 1234567X"),
];

/// Buys an IP; the seller on its invoice.
async fn seller_on_invoice(shop: &Shop, customer: &Customer) -> String {
    shop.stock("US", "new-york", 1);
    shop.buys(customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let list = shop.call(customer, "Billing/GetInvoiceList", json!({})).await;
    let number = list.data["Rows"][0]["InvoiceNumber"].clone();
    let invoice = shop.call(customer, "Billing/GetInvoice", json!({ "InvoiceNumber": number })).await;
    invoice.data["Seller"]["Name"].as_str().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_second_server_without_a_seller_leaves_that_of_the_first() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    let first = Serving::start(&shop, &SELLER).expect("the first server");
    assert_eq!(seller_on_invoice(&shop, &customer).await, SELLER[0].1);
    let second = Serving::start(&shop, &[]).expect("a second server");
    assert_eq!(seller_on_invoice(&shop, &customer).await, SELLER[0].1);
    let row = sellers::table.select((sellers::name, sellers::address, sellers::tax_number));
    let row: (String, String, String) = shop.app.db.read_blocking(|conn| Ok(row.first(conn)?)).expect("the seller");
    assert_eq!(row.1, r#"["1 Harbour Road","Cork"]"#);
    drop((first, second));
}

#[actix_web::test]
async fn a_server_whose_seller_differs_is_refused_until_the_shop_adopts_it() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    Serving::start(&shop, &SELLER).expect("the first server");
    let other = [("POSTERN_SELLER_NAME", "Southlight"), SELLER[1], ("POSTERN_BRAND_COLOUR", "#2457d6")];
    let refusal = Serving::start(&shop, &other).err().expect("a refusal");
    for part in ["POSTERN_SELLER_NAME is `Southlight`", "`Northlight Proxies Ltd`", "postern settings adopt"] {
        assert!(refusal.contains(part), "{refusal}");
    }
    assert!(!refusal.contains("POSTERN_SELLER_ADDRESS"), "the same: {refusal}");
    let settings = |arguments: &[&str]| {
        let mut postern = command(&shop, &[&["settings"][..], arguments].concat());
        let done = postern.envs(other).output().expect("the binary");
        assert!(done.status.success(), "{}", said(&done));
        said(&done)
    };
    let would = settings(&["adopt"]);
    assert!(would.contains("POSTERN_SELLER_NAME: `Northlight Proxies Ltd` becomes `Southlight`"), "{would}");
    assert!(would.contains("POSTERN_SELLER_TAX_NUMBER: `IE 1234567X` becomes unset"), "{would}");
    assert!(settings(&["show"]).contains("`Northlight Proxies Ltd` (here: `Southlight`)"));
    assert_eq!(seller_on_invoice(&shop, &customer).await, SELLER[0].1, "nothing was changed");
    settings(&["adopt", "--yes"]);
    assert_eq!(seller_on_invoice(&shop, &customer).await, "Southlight");
    assert!(Serving::start(&shop, &SELLER).is_err() && Serving::start(&shop, &other).is_ok());
}

#[actix_web::test]
async fn a_shop_in_production_refuses_a_development_server_and_its_commands() {
    let shop = Shop::open();
    let production = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example")];
    Serving::start(&shop, &production).expect("a server");
    let refusal = Serving::start(&shop, &[]).err().expect("a refusal");
    assert!(refusal.contains("POSTERN_ENV is `development`, but the shop's is `production`"), "{refusal}");
    let done = command(&shop, &["demo"]).output().expect("the binary");
    assert!(!done.status.success() && said(&done).contains("POSTERN_ENV"), "{}", said(&done));
}
