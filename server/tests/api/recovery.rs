//! Recovering an account: whoever else had access has none afterwards, in none of its forms.
use crate::receiver::{Manner, Receiver};
use crate::shop::{Customer, PASSWORD, Shop};
use crate::two_factor::turn_on;
use postern_core::access::AccessKind;
use postern_core::security_log::SecurityKind;
use postern_core::webhook_delivery::WebhookState;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, known_devices, security_log, users, webhooks};
use serde_json::{Value, json};

const NOTHING: [AccessKind; 0] = [];
const NEW_PASSWORD: &str = "a new fine password";

/// Everything that a thief who knows the password takes, and the link with which the owner stops it.
struct Theft {
    shop: Shop,
    owner: Customer,
    thief: Customer,
    reset: String,
    confirm: String,
    stop: String,
    api_key: String,
    access_token: String,
    list: String,
    receiver: Receiver,
}

impl Theft {
    /// A thief's way into everything. `second_factor` is turned on before or after the change of the address was asked for, or not at all.
    async fn happens(second_factor: Option<&str>) -> Theft {
        let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
        let owner = shop.customer(0);
        let signed_in = shop.send("User/Login", json!({"Email": owner.email, "Password": PASSWORD}), &[]).await;
        let thief = Customer { token: signed_in.data["Token"].as_str().expect("a token").to_owned(), ..owner.clone() };
        let make = async |call: &str, body: Value| {
            let answer = shop.call(&thief, call, body).await;
            assert_eq!(answer.code, 1000, "{call}: {answer:?}");
            answer.data
        };
        if second_factor == Some("before") {
            turn_on(&shop, &thief).await;
        }
        let operator = shop.operator();
        let shown = json!({"AccountId": owner.account_id, "ShowInvitationCode": false, "ShowAccessToken": true});
        assert_eq!(shop.call(&operator, "Operator/SetAccountFlags", shown).await.code, 1000);
        let server = json!({"Name": "gate", "Kind": "residential", "Host": "gate.example", "HttpPort": "8000"});
        let server = shop.call(&operator, "Operator/AddProxyServer", server).await.data["Server"]["ServerId"].clone();
        let user = make("ProxyUsers/AddProxyUser", json!({"Name": "stolen_1", "LimitCycle": "none"})).await;
        let settings = json!({"ServerId": server, "Scheme": "http", "Count": 1, "Format": "url"});
        let list =
            json!({"Name": "thief's list", "ProxyUserId": user["ProxyUser"]["ProxyUserId"], "Settings": settings});
        let list = make("Endpoints/CreateUrl", list).await;
        let key = make("ApiKeys/AddApiKey", json!({"Name": "thief's key", "Scopes": ["account:read"]})).await;
        let receiver = Receiver::open(Manner::Answers(204));
        make("Webhooks/AddWebhook", json!({"Url": receiver.url})).await;
        let access_token = make("User/RotateAccessToken", json!({})).await;
        shop.send("User/RequestPasswordReset", json!({"Email": owner.email}), &[]).await;
        shop.run_jobs().await;
        let reset = shop.mailed_token(&owner.email, "reset");
        make("User/RequestEmailChange", json!({"Email": "thief@example.com", "Password": PASSWORD})).await;
        shop.run_jobs().await;
        let (confirm, stop) =
            (shop.mailed_token("thief@example.com", "confirm"), shop.mailed_token(&owner.email, "stop"));
        if second_factor == Some("after") {
            turn_on(&shop, &thief).await;
        }
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
        let theft = Theft {
            reset,
            confirm,
            stop,
            api_key: text(&key["Secret"]),
            access_token: text(&access_token["AccessToken"]),
            list: text(&list["Url"]),
            receiver,
            owner,
            thief,
            shop,
        };
        for kind in [AccessKind::Session, AccessKind::KnownDevice, AccessKind::ApiKey, AccessKind::AccessToken] {
            assert!(theft.is_open(kind).await, "{kind:?}");
        }
        for kind in [AccessKind::ListUrl, AccessKind::Webhook] {
            assert!(theft.is_open(kind).await, "{kind:?}");
        }
        theft
    }

    /// Whether the thief can still use it. A link is used up by the question.
    async fn is_open(&self, kind: AccessKind) -> bool {
        let Theft { shop, owner, .. } = self;
        let call = async |token: &str| shop.send("User/GetUserInfo", json!({}), &[("Token", token)]).await.code == 1000;
        match kind {
            AccessKind::Session => call(&self.thief.token).await,
            AccessKind::ApiKey => call(&self.api_key).await,
            AccessKind::AccessToken => call(&self.access_token).await,
            AccessKind::KnownDevice => {
                let own = users::table.filter(users::account_id.eq(owner.account_id)).select(users::id);
                let known = known_devices::table.filter(known_devices::user_id.eq_any(own)).count();
                shop.app.db.read_blocking(|conn| Ok(known.get_result::<i64>(conn)?)).expect("a number") > 0
            }
            AccessKind::ResetLink => {
                let reset = json!({"ResetToken": self.reset, "Password": "the thief's password"});
                shop.send("User/ResetPassword", reset, &[]).await.data["Key"] != "linkExpired"
            }
            AccessKind::EmailChange => {
                let confirm = json!({"Token": self.confirm});
                shop.send("User/ConfirmEmailChange", confirm, &[]).await.data["Key"] != "linkExpired"
            }
            AccessKind::ListUrl => {
                let path = self.list.strip_prefix("http://shop.example").expect("an address of the shop");
                shop.open_page(path).await.status() == 200
            }
            AccessKind::Webhook => {
                let states = webhooks::table.filter(webhooks::account_id.eq(owner.account_id)).select(webhooks::state);
                let states = shop.app.db.read_blocking(|conn| Ok(states.load::<WebhookState>(conn)?));
                states.expect("webhooks") == [WebhookState::Enabled]
            }
            AccessKind::SecondFactor => {
                let login = json!({"Email": owner.email, "Password": NEW_PASSWORD});
                shop.send("User/Login", login, &[]).await.data["Key"] == "twoFactorNeeded"
            }
        }
    }

    async fn open_ways(&self) -> Vec<AccessKind> {
        let mut open = Vec::new();
        for kind in AccessKind::ALL {
            if self.is_open(*kind).await {
                open.push(*kind);
            }
        }
        open
    }

    /// Sets a new password with the newest mailed link.
    async fn resets(&self, body: Value) {
        self.shop.run_jobs().await;
        let mut reset =
            json!({"ResetToken": self.shop.mailed_token(&self.owner.email, "reset"), "Password": NEW_PASSWORD});
        reset.as_object_mut().expect("an object").extend(body.as_object().cloned().expect("an object"));
        let answer = self.shop.send("User/ResetPassword", reset, &[]).await;
        assert!(answer.code == 1000 || answer.data["Key"] == "signInWithCode", "{answer:?}");
        // The owner's new session came with a known device.
        let forgotten = self.shop.app.db.write_blocking(|conn| Ok(diesel::delete(known_devices::table).execute(conn)?));
        assert!(forgotten.is_ok());
    }

    fn logged(&self) -> Vec<(SecurityKind, String)> {
        let entries = security_log::table.order(security_log::id).select((security_log::kind, security_log::detail));
        self.shop.app.db.read_blocking(|conn| Ok(entries.load(conn)?)).expect("entries")
    }
}

#[actix_web::test]
async fn stopping_an_email_change_ends_everything_that_the_thief_took() {
    let theft = Theft::happens(Some("after")).await;
    let shop = &theft.shop;
    let stopped = shop.send("User/StopEmailChange", json!({"Token": theft.stop}), &[]).await;
    assert_eq!(stopped.data["Email"], theft.owner.email.as_str(), "{stopped:?}");
    shop.run_jobs().await;
    let received = theft.receiver.received().len();
    let mail = shop.last_mail_about(&theft.owner.email, "Change of email address canceled").expect("a mail");
    for line in [
        "Sessions: 1",
        "API keys: thief's key",
        "Access token",
        "List URLs: thief's list",
        "Webhooks (paused): http://127.0.0.1",
        "Two-factor authentication",
    ] {
        assert!(mail.lines().any(|found| found.starts_with(line)), "{line}: {mail}");
    }
    let logged = theft.logged();
    for (kind, detail) in [
        (SecurityKind::ApiKeyRevoked, "thief's key"),
        (SecurityKind::AccessTokenRevoked, ""),
        (SecurityKind::ListUrlRevoked, "thief's list"),
        (SecurityKind::TwoFactorOff, ""),
        (SecurityKind::EmailChangeStopped, ""),
    ] {
        assert!(logged.contains(&(kind, detail.to_owned())), "{kind:?}: {logged:?}");
    }
    theft.resets(json!({})).await;
    assert_eq!(theft.open_ways().await, NOTHING);
    shop.run_jobs().await;
    assert_eq!(theft.receiver.received().len(), received, "the thief's webhook hears of nothing");
}

#[actix_web::test]
async fn a_second_factor_older_than_the_email_change_stays() {
    let theft = Theft::happens(Some("before")).await;
    let stopped = theft.shop.send("User/StopEmailChange", json!({"Token": theft.stop}), &[]).await;
    assert_eq!(stopped.code, 1000, "{stopped:?}");
    theft.resets(json!({})).await;
    assert_eq!(theft.open_ways().await, [AccessKind::SecondFactor]);
}

#[actix_web::test]
async fn a_reset_ends_keys_unless_told_otherwise() {
    for (body, open) in [
        (json!({}), vec![]),
        (json!({"EndKeys": true}), vec![]),
        (
            json!({"EndKeys": false}),
            vec![AccessKind::ApiKey, AccessKind::AccessToken, AccessKind::ListUrl, AccessKind::Webhook],
        ),
    ] {
        let theft = Theft::happens(None).await;
        let asks = json!({"Email": theft.owner.email});
        theft.shop.send("User/RequestPasswordReset", asks, &[]).await;
        theft.resets(body.clone()).await;
        theft.shop.run_jobs().await;
        let mail = theft.shop.last_mail_about(&theft.owner.email, "Password reset by email link").expect("a mail");
        assert!(mail.contains("Change of email address to thief@example.com"), "{mail}");
        assert_eq!(mail.contains("thief's key"), open.is_empty(), "{mail}");
        assert_eq!(theft.open_ways().await, open, "{body}");
    }
}

#[actix_web::test]
async fn a_closed_account_gives_no_access() {
    let theft = Theft::happens(None).await;
    let close = json!({"Password": PASSWORD, "GiveUpBalance": true});
    assert_eq!(theft.shop.call(&theft.owner, "User/CloseAccount", close).await.code, 1000);
    assert_eq!(theft.open_ways().await, NOTHING);
}

#[actix_web::test]
async fn the_access_token_can_be_made_anew_after_a_recovery() {
    let theft = Theft::happens(None).await;
    theft.shop.send("User/StopEmailChange", json!({"Token": theft.stop}), &[]).await;
    theft.resets(json!({})).await;
    let login = json!({"Email": theft.owner.email, "Password": NEW_PASSWORD});
    let token = theft.shop.send("User/Login", login, &[]).await.data["Token"].as_str().expect("a token").to_owned();
    let owner = Customer { token, ..theft.owner.clone() };
    let made = theft.shop.call(&owner, "User/RotateAccessToken", json!({})).await;
    assert_eq!(made.code, 1000, "{made:?}");
    let is_shown = accounts::table.find(owner.account_id).select(accounts::show_access_token);
    assert!(theft.shop.app.db.read_blocking(|conn| Ok(is_shown.first::<bool>(conn)?)).expect("a flag"));
}
