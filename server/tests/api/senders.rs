//! Who counts as one sender where requests are throttled.
use crate::shop::{PASSWORD, Shop};
use postern_core::account::{MAILED_LINKS_PER_SENDER, SIGN_IN_PER_SENDER};
use serde_json::json;

/// An address of a line's own network of IPv6: no two of these are alike.
fn of_one_line(number: i32) -> String {
    format!("2001:db8:7:7:{number:x}::{number:x}")
}

#[actix_web::test]
async fn a_line_of_ipv6_has_one_count_of_sign_ins_however_many_addresses_it_uses() {
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
async fn a_line_of_ipv6_has_one_count_of_mails() {
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
