//! Rate limits per sender: an IPv6 /64 counts as one.
use crate::shop::{PASSWORD, Shop};
use postern_core::account::{MAILED_LINKS_PER_RECIPIENT, MAILED_LINKS_PER_SENDER, SIGN_IN_PER_SENDER};
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

#[actix_web::test]
async fn aliases_of_one_inbox_share_its_limit_of_mails() {
    let shop = Shop::open();
    let reset = async |email: &str| shop.send("User/RequestPasswordReset", json!({"Email": email}), &[]).await.code;
    for number in 0..MAILED_LINKS_PER_RECIPIENT.hits {
        assert_eq!(reset(&format!("a.nn+{number}@gmail.com")).await, 1000);
    }
    assert_eq!((reset("Ann@googlemail.com").await, reset("a.n.n+x@gmail.com").await), (4290, 4290));
    let sign_up = json!({"Email": "ann+17@gmail.com", "Password": PASSWORD});
    assert_eq!(shop.send("User/SignUp", sign_up, &[]).await.code, 4290);
    assert_eq!(reset("anna@gmail.com").await, 1000, "another inbox");
}
