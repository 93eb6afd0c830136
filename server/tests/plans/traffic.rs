//! Residential traffic.
use crate::money::refund;
use crate::shop::{Customer, Shop};
use serde_json::{Value, json};

/// Traffic: bought in all ways, reordered by a job, refunded and about to expire.
pub async fn traffic(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    owner: &Customer,
) {
    call(owner, "Traffic/GetTrafficCatalogue", json!({})).await;
    let one = json!({"Gigabytes": 1, "PeriodDays": 30, "ExpectedTotal": "4.00"});
    call(owner, "Traffic/QuoteTraffic", one.clone()).await;
    let order = call(owner, "Traffic/CreateTrafficOrder", one).await;
    call(owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    let ten = json!({"Gigabytes": 10, "PeriodDays": 30, "ExpectedTotal": "35.00", "PayFromWallet": true});
    let bought = call(owner, "Traffic/CreateTrafficOrder", ten).await;
    let reorder =
        json!({"IsOn": true, "ThresholdGigabytes": "20", "Gigabytes": 20, "PeriodDays": 30, "MonthlyLimit": "70"});
    call(owner, "Traffic/SetReorder", reorder).await;
    shop.run_jobs().await;
    call(owner, "Traffic/GetTraffic", json!({})).await;
    call(owner, "Welcome/GetOverview", json!({})).await;
    call(owner, "Traffic/SetReorder", json!({"IsOn": false})).await;
    refund(call, operator, owner, &bought["OrderNumber"]).await;
}
