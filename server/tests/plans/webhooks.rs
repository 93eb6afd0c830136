//! Webhooks.
use crate::lists::lists;
use crate::receiver::{Manner, Receiver};
use crate::shop::{Customer, Shop};
use serde_json::{Value, json};

/// Webhooks that succeed and fail, disabled and deleted.
pub async fn webhooks(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    for manner in [Manner::Answers(200), Manner::Answers(500), Manner::Answers(410)] {
        let receiver = Receiver::open(manner);
        let form = json!({"Url": receiver.url, "Description": "", "Events": ["order.paid"]});
        let id = call(owner, "Webhooks/AddWebhook", form).await["WebhookId"].clone();
        let this = json!({ "WebhookId": id });
        call(owner, "Webhooks/EditWebhook", json!({ "WebhookId": id, "Url": receiver.url })).await;
        call(owner, "Webhooks/RotateWebhookSecret", this.clone()).await;
        let delivery = call(owner, "Webhooks/SendTestEvent", this.clone()).await;
        shop.run_jobs().await;
        call(owner, "Webhooks/GetWebhookList", json!({})).await;
        call(owner, "Webhooks/GetDelivery", delivery.clone()).await;
        let filters = [("WebhookId", id.clone()), ("State", json!("delivered"))];
        for (name, body) in lists("Webhooks/GetDeliveryList", &filters, &["CreatedAt"]) {
            call(owner, name, body).await;
        }
        call(owner, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": true})).await;
        call(owner, "Webhooks/ResendDelivery", delivery).await;
        if manner == Manner::Answers(200) {
            continue;
        }
        call(owner, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": false})).await;
        shop.run_jobs().await;
        call(owner, "Webhooks/DeleteWebhook", this).await;
    }
}
