//! The seller's own screens: inventory, prices, coupons, limits, payments and documents.
use crate::lists::lists;
use crate::recording::Made;
use crate::shop::{Customer, REGULAR, Shop};
use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::dsl::max;
use postern_core::time::to_wire;
use postern_server::db::prelude::*;
use postern_server::schema::{gateway_callbacks, mails, payment_cases};
use serde_json::{Value, json};

/// Lists and files of the whole shop.
pub async fn whole_lists(shop: &Shop, operator: &Customer) {
    let inventory = [
        ("State", json!("available")),
        ("VerStr", json!(REGULAR)),
        ("Country", json!("US")),
        ("City", json!("chicago")),
        ("Target", json!("search")),
        ("Supplier", json!("Acme")),
        ("ServerId", json!(1)),
        ("AccountId", json!(1)),
    ];
    let payments = [("PaymentMethod", json!("transfer")), ("State", json!("pending")), ("AccountId", json!(1))];
    let all = [
        lists("Operator/GetInventory", &inventory, &["NodeId", "Ip"]),
        lists("Operator/GetPaymentList", &payments, &["CreatedAt"]),
        lists("Operator/GetPaymentCaseList", &[("Gateway", json!("epay")), ("IsOpen", json!(true))], &["OpenedAt"]),
        lists(
            "Operator/GetPaymentReturnList",
            &[
                ("Gateway", json!("stripe")),
                ("Kind", json!("dispute")),
                ("State", json!("open")),
                ("AccountId", json!(1)),
            ],
            &["OpenedAt"],
        ),
        lists("Operator/GetInvoiceList", &[("Kind", json!("invoice"))], &["IssuedAt"]),
        lists("Operator/GetMailList", &[("State", json!("failed")), ("Template", json!("purchased"))], &["CreatedAt"]),
        lists("Operator/GetCouponList", &[("State", json!("usable")), ("State", json!("ended"))], &[]),
    ];
    for (call, body) in all.into_iter().flatten() {
        assert_eq!(shop.call(operator, call, body.clone()).await.code, 1000, "{call} {body}");
    }
    assert_eq!(shop.call(operator, "Operator/GetStock", json!({})).await.code, 1000);
    assert!(shop.download(operator, "Operator/ExportInventory", json!({})).await.len() > 100);
    let day = json!({"StartTime": "2020-01-01 00:00:00", "EndTime": "2020-01-02 00:00:00"});
    assert!(shop.download_bytes(operator, "Operator/ExportInvoices", day).await.starts_with(b"PK"));
    uploads(shop, operator, &mut Made::default(), 1).await;
}

/// Previews and imports a node.
pub async fn uploads(shop: &Shop, operator: &Customer, made: &mut Made, last_byte: u8) {
    let head = "ip,http_port,country,city,isp,asn,ver_str";
    let file = format!("{head}\n203.0.113.{last_byte},8000,US,new-york,Northlight,64500,{REGULAR}\n");
    for call in ["Operator/PreviewImport", "Operator/ImportNodes"] {
        let told = made.note(shop, call, shop.upload(operator, call, "nodes.csv", file.as_bytes())).await;
        assert_eq!((told.code, &told.data["Nodes"]), (1000, &json!(1)), "{told:?}");
    }
}

/// Every change of a seller.
pub async fn seller(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    (owned, free): (&Value, &[i64]),
) {
    let later = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let price = json!({"Action": "set_step", "Min": "900", "Discount": "20"});
    call(operator, "Operator/ChangePrice", price.clone()).await;
    let mut planned = price;
    planned["ValidFrom"] = json!(later);
    call(operator, "Operator/ChangePrice", planned.clone()).await;
    planned["Min"] = json!("901");
    let list = call(operator, "Operator/ChangePrice", planned).await;
    call(operator, "Operator/CancelPriceChange", json!({"PlanId": list["Planned"][0]["PlanId"]})).await;
    call(operator, "Operator/GetPrices", json!({ "At": later })).await;
    for (action, more) in [
        ("remove_step", json!({"Min": "900"})),
        ("set_period", json!({"Days": "45", "Discount": "0"})),
        ("remove_period", json!({"Days": "45"})),
        ("set_traffic", json!({"Period": "30", "FromGb": "7", "Price": "3"})),
        ("remove_traffic", json!({"Period": "30", "FromGb": "7"})),
        ("set_tier", json!({"VerStr": REGULAR, "Price": "5"})),
        ("pause_tier", json!({"VerStr": REGULAR})),
        ("limit_tier", json!({"VerStr": REGULAR, "MaxConnections": "100"})),
        ("sell_tier", json!({"VerStr": REGULAR})),
    ] {
        let mut form = json!({ "Action": action });
        form.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        call(operator, "Operator/ChangePrice", form).await;
    }
    let list = call(operator, "Operator/GetAnnouncementList", json!({})).await;
    let id = list[0]["AnnouncementId"].clone();
    call(operator, "Operator/DeleteAnnouncement", json!({ "AnnouncementId": id })).await;
    call(operator, "Operator/SaveAnnouncement", json!({"Tone": "info", "TextEn": "Sale"})).await;
    let change = json!({"AnnouncementId": list[1]["AnnouncementId"], "Tone": "warning", "TextZh": "维护"});
    call(operator, "Operator/SaveAnnouncement", change).await;
    call(operator, "Operator/PublishLegalText", json!({"Kind": "terms", "BodyEn": "new"})).await;
    call(operator, "Operator/GetLegalTextList", json!({})).await;
    call(operator, "Operator/GetLegalText", json!({"LegalTextId": 1})).await;
    call(operator, "SystemSettings/GetLegalText", json!({"Kind": "terms"})).await;
    let customer = shop.customer(0);
    call(&customer, "SystemSettings/GetAnnouncementList", json!({})).await;
    call(&customer, "User/AcceptTexts", json!({"AcceptedTexts": [1, 2, 3]})).await;
    for range in ["days30", "months12"] {
        call(operator, "Operator/GetBusiness", json!({ "Range": range })).await;
    }
    for list in ["GetTaskList", "GetSetupStepList", "GetJobList", "GetBackupList"] {
        call(operator, &format!("Operator/{list}"), json!({})).await;
    }
    call(operator, "Operator/PreviewMail", json!({"Template": "purchased", "Language": "zh"})).await;
    let form = json!({"IsNew": true, "Target": "plans", "NameEn": "Plans", "Position": "1"});
    let list = call(operator, "Operator/SaveUseCase", form).await;
    call(operator, "Operator/GetUseCaseList", json!({})).await;
    let edit = json!({"NodeIds": [free[0]], "AddTargets": ["plans"], "RemoveTargets": [list[1]["Target"]]});
    call(operator, "Operator/EditNodes", edit).await;
    call(operator, "Operator/DeleteUseCase", json!({"Target": "plans"})).await;
    call(operator, "Operator/ExamineShop", json!({})).await;
    let unknown = "UPDATE gateway_callbacks SET verdict = 'unknown_payment', gateway = 'sandbox' WHERE id = (SELECT max(id) FROM gateway_callbacks WHERE body IS NOT NULL)";
    let callback_id = shop.app.db.write_blocking(|conn| {
        conn.batch_execute(unknown)?;
        let kept = gateway_callbacks::table.filter(gateway_callbacks::body.is_not_null());
        Ok(kept.select(max(gateway_callbacks::id)).first::<Option<i64>>(conn)?)
    });
    let callback = json!({"CallbackId": callback_id.expect("a refused callback")});
    call(operator, "Operator/ReplayCallback", callback).await;
    let gone = shop.customer(100);
    let address = json!({"AccountId": gone.account_id, "Email": "gone@northlight.io", "Reason": "r"});
    call(operator, "Operator/RequestEmailChange", address).await;
    let other = shop.customer(0);
    let closing = json!({"AccountId": gone.account_id, "Reason": "r", "GiveUpBalance": true, "BalanceTo": other.email});
    call(operator, "Operator/CloseAccount", closing).await;
    let given_up = "UPDATE mails SET state = 'failed', parameters = '{\"Amount\":\"1.00\"}' WHERE id = (SELECT max(id) FROM mails)";
    let mail_id = shop.app.db.write_blocking(|conn| {
        conn.batch_execute(given_up)?;
        Ok(mails::table.select(max(mails::id)).first::<Option<i64>>(conn)?)
    });
    call(operator, "Operator/ResendMails", json!({"MailIds": [mail_id.expect("a failed mail")]})).await;
    call(operator, "Operator/GetLimits", json!({})).await;
    call(operator, "Operator/SetLimit", json!({"Limit": "open_top_ups", "Most": "9"})).await;
    call(operator, "Operator/SetHoldStep", json!({"From": "5", "Ips": "900"})).await;
    let case = "INSERT INTO payment_cases (gateway, kind, subject, payment_id, currency, opened_at) SELECT 'epay', 'other_amount', public_id, id, 'USD', created_at FROM payments ORDER BY id LIMIT 1";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(case)?)).expect("a case");
    let newest = payment_cases::table.select(max(payment_cases::id));
    let newest: Option<i64> = shop.app.db.read_blocking(|conn| Ok(newest.first(conn)?)).expect("a case");
    call(operator, "Operator/ClosePaymentCase", json!({"CaseId": newest, "Note": "seen"})).await;
    let dispute = "INSERT INTO payment_returns (payment_id, account_id, reference, kind, state, reported_minor, reported_currency, claimed_minor, opened_at, changed_at) SELECT id, account_id, 'dp_1', 'dispute', 'open', 100, 'USD', 100, created_at, created_at FROM payments ORDER BY id LIMIT 1";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(dispute)?)).expect("a dispute");
    let evidence = shop.download_bytes(operator, "Operator/GetDisputeEvidence", json!({"ReturnId": 1}));
    assert!(evidence.await.len() > 100);
    call(operator, "Operator/GetExchangeRateList", json!({})).await;
    call(operator, "Operator/SetExchangeRate", json!({"Currency": "CNY", "Rate": "7.125"})).await;
    call(operator, "Operator/SetExchangeRate", json!({"Currency": "CNY", "Rate": "7.2"})).await;
    call(operator, "Operator/SetHoldStep", json!({"From": "5", "Ips": ""})).await;
    let coupon =
        json!({"Code": "SELLER", "Percent": "10", "TotalUses": "9", "UsesPerAccount": "9", "FirstOrderOnly": true});
    call(operator, "Operator/AddCoupon", coupon).await;
    call(operator, "Operator/GetCouponList", json!({"Search": "SELLER"})).await;
    call(&shop.customer(0), "Order/CheckCoupon", json!({"Coupon": "SELLER"})).await;
    call(operator, "Operator/EndCoupon", json!({"Code": "SELLER"})).await;
    let nodes = json!({ "NodeIds": free });
    call(operator, "Operator/RetireNodes", nodes.clone()).await;
    call(operator, "Operator/RestoreNodes", nodes).await;
    let matching = json!({"All": true, "Filter": {"Supplier": "nobody"}, "Search": "198", "After": 1});
    call(operator, "Operator/RestoreNodes", matching).await;
    call(operator, "Operator/EditNodes", json!({"NodeIds": free, "Isp": "Northlight", "Cost": "1"})).await;
    let replace = json!({"NodeId": owned, "Reason": "r", "Retire": true});
    let told = call(operator, "Operator/ReplaceNode", replace).await;
    let chosen = json!({"NodeId": told["NewNodeId"], "NewNodeId": free[0], "Reason": "r", "Retire": false});
    call(operator, "Operator/ReplaceNode", chosen).await;
}
