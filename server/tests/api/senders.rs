//! Rate limits per sender: an IPv6 /64 counts as one.
use crate::shop::{PASSWORD, Shop};
use postern_core::account::{MAILED_LINKS_PER_SENDER, SIGN_IN_PER_SENDER};
use serde_json::json;

/// A distinct address in one IPv6 network.
fn of_one_line(number: i32) -> String {
    format!("2001:db8:7:7:{number:x}::{number:x}")
}

#[actix_web::test]
async fn an_ipv6_network_has_one_sign_in_limit() {
    let shop = Shop::open();
    let mut codes = Vec::new();
    for number in 0..=SIGN_IN_PER_SENDER.hits {
        let login = json!({"Email": format!("nobody{number}@example.com"), "Password": PASSWORD});
        codes.push(shop.send("User/Login", login, &[("X-Forwarded-For", &of_one_line(number))]).await.code);
    }
    let last = codes.pop();
    assert!(codes.iter().all(|code| *code == 3333), "{codes:?}");
    assert_eq!(last, Some(4290));
    let login = json!({"Email": "nobody@example.com", "Password": PASSWORD});
    let neighbour = shop.send("User/Login", login, &[("X-Forwarded-For", "2001:db8:7:8::1")]).await;
    assert_eq!(neighbour.code, 3333, "another line has a count of its own");
}

#[actix_web::test]
async fn an_ipv6_network_has_one_mail_limit() {
    let shop = Shop::open();
    let mut codes = Vec::new();
    for number in 0..=MAILED_LINKS_PER_SENDER.hits {
        let reset = json!({"Email": format!("nobody{number}@example.com")});
        let from = of_one_line(number);
        codes.push(shop.send("User/RequestPasswordReset", reset, &[("X-Forwarded-For", &from)]).await.code);
    }
    let last = codes.pop();
    assert!(codes.iter().all(|code| *code == 1000), "{codes:?}");
    assert_eq!(last, Some(4290));
}
