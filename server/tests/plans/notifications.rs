//! Notifications.
use crate::lists::lists;
use crate::shop::{Customer, Shop};
use serde_json::{Value, json};

/// Notifications: reading, settings and unsubscribing; the latest mail to the user is about an event.
pub async fn notifications(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    for (name, body) in lists("Notifications/GetNotificationList", &[], &["CreatedAt"]) {
        call(owner, name, body).await;
    }
    call(owner, "Notifications/GetUnread", json!({})).await;
    let latest = call(owner, "Notifications/GetNotificationList", json!({})).await["Rows"][0]["NotificationId"].clone();
    call(owner, "Notifications/MarkRead", json!({ "NotificationIds": [latest] })).await;
    call(owner, "Notifications/MarkRead", json!({ "UpTo": latest })).await;
    call(owner, "Notifications/GetSettings", json!({})).await;
    let choice = json!({"Settings": [{"Kind": "wallet.low", "OnScreen": false, "ByMail": true}]});
    call(owner, "Notifications/SetSettings", choice).await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&owner.email).unwrap_or_default();
    let token = mail.lines().find_map(|line| line.strip_prefix("http://shop.example/unsubscribe?token="));
    for is_dry in [true, false] {
        call(owner, "Notifications/Unsubscribe", json!({ "Token": token, "DryRun": is_dry })).await;
    }
}
