//! The forms of customers: broken values of each are refused as in the browser (see `forms`).
use crate::forms::{Form, compare, form, texts};
use crate::shop::{PASSWORD, REGULAR, Shop, order_for};
use chrono::NaiveDateTime;
use postern_core::field_errors::both;
use postern_core::permission::Level;
use postern_core::quote::Terms;
use postern_core::support::validate_message_with;
use postern_core::tier::Catalogue;
use postern_core::top_up::{MAX_TOP_UP, MIN_TOP_UP, validate_top_up};
use postern_core::traffic::{TrafficCatalogue, quote_traffic, traffic_error_fields};
use postern_core::{
    api_key, network, node_forms, profile, proxy_user_form, quote, reorder, sign_in, two_factor, wallet_forms, webhook,
};
use serde_json::{Value, json};

/// Core's validation of what a customer of this shop enters.
fn forms_of_customers(
    email: &str,
    node_id: Value,
    now: NaiveDateTime,
    traffic: TrafficCatalogue,
) -> Vec<Form<'static>> {
    let (email, catalogue, of_reorder) = (email.to_owned(), Catalogue::default(), traffic.clone());
    let (of_quote, password) = (catalogue.clone(), PASSWORD);
    let order = order_for(&[("US", "new-york", 1), ("DE", "berlin", 2)], "15.00");
    let details = json!({
        "CompanyName": "Shop Ltd", "FirstName": "Ann", "LastName": "Lee", "Phone": "+49 30 1234567", "Messenger": "@ann",
        "TaxNumber": "DE123456789", "Website": "https://example.com", "Address": "Street 1", "City": "Berlin",
        "PostalCode": "10115", "Country": "DE",
    });
    const ORDER: &[&str] = &[
        "/VerStr",
        "/PeriodDays",
        "/Lines",
        "/Lines/0/Country",
        "/Lines/0/City",
        "/Lines/0/Quantity",
        "/Lines/1/City",
        "/Lines/1/Quantity",
    ];
    const DETAILS: &[&str] = &[
        "/CompanyName",
        "/FirstName",
        "/LastName",
        "/Phone",
        "/Messenger",
        "/TaxNumber",
        "/Website",
        "/Address",
        "/City",
        "/PostalCode",
        "/Country",
    ];
    const USER: &[&str] = &[
        "/Name",
        "/Password",
        "/Note",
        "/LimitGigabytes",
        "/LimitCycle",
        "/ExpiresAt",
        "/Countries",
        "/MaxConnections",
        "/MaxMegabits",
    ];
    vec![
        form("Order/QuoteOrder", ORDER, order.clone(), move |request| quote::validate_order(request, &of_quote)),
        form("Order/CreateOrder", ORDER, order, move |request| quote::validate_order(request, &catalogue)),
        texts("Wallet/CreateTopUp", &["/Amount"], json!({"Amount": "25", "PaymentMethod": "sandbox"}), |text| {
            validate_top_up(&text("Amount"), MIN_TOP_UP, MAX_TOP_UP)
        }),
        form(
            "Ips/UserEditNodeAccount",
            &["/UserName", "/Password"],
            json!({"NodeIds": [node_id], "UserName": "ann_1", "Password": "secret99word"}),
            node_forms::validate_node_account,
        ),
        form(
            "Ips/AddUserPlanGroup",
            &["/Name", "/Colour", "/Note"],
            json!({"Name": "Crawlers", "Colour": "#3b82f6", "Note": ""}),
            node_forms::validate_plan_group,
        ),
        texts("Ips/EditNodeNote", &["/Note"], json!({"NodeIds": [node_id], "Note": "a"}), |text| {
            node_forms::validate_node_note(&text("Note"))
        }),
        texts(
            "Ips/SwitchNode",
            &["/Reason"],
            json!({"NodeIds": [node_id], "Reason": "slow", "DryRun": true}),
            |text| node_forms::validate_switch_reason(&text("Reason")),
        ),
        form(
            "Wallet/SetAutoTopUp",
            &["/Threshold", "/Amount", "/MonthlyLimit"],
            json!({"IsOn": true, "Threshold": "10", "Amount": "50", "MonthlyLimit": "200"}),
            |form| wallet_forms::validate_auto_top_up(form, MIN_TOP_UP, MAX_TOP_UP),
        ),
        texts("Wallet/SetLowBalanceAlert", &["/Threshold"], json!({"Threshold": "5"}), |text| {
            wallet_forms::validate_low_balance_alert(&text("Threshold"))
        }),
        texts("Order/CheckCoupon", &["/Coupon"], json!({"Coupon": "TEN"}), |text| {
            wallet_forms::validate_coupon_code(&text("Coupon"))
        }),
        form(
            "ApiKeys/AddApiKey",
            &["/Name", "/Scopes", "/Addresses", "/ExpiresAt"],
            json!({"Name": "program", "Scopes": ["account:read"], "Addresses": ["8.8.8.0/24"], "ExpiresAt": ""}),
            move |form| api_key::validate_api_key(form, Level::Customer, now),
        ),
        form(
            "Webhooks/AddWebhook",
            &["/Url", "/Description", "/Events"],
            json!({"Url": "https://example.com/hook", "Description": "", "Events": null}),
            |form: &webhook::WebhookForm| webhook::validate_webhook(form, webhook::reach_of(&form.url, &[])),
        ),
        texts("Support/SendMessage", &["/Text"], json!({"Text": "hello", "AttachmentIds": []}), |text| {
            validate_message_with(&text("Text"), 0)
        }),
        form("User/UpdateAccountDetails", DETAILS, details, profile::validate_account_details),
        form(
            "User/ChangePassword",
            &["/CurrentPassword", "/NewPassword"],
            json!({"CurrentPassword": password, "NewPassword": "another horse battery", "DeviceId": ""}),
            {
                let email = email.clone();
                move |form| profile::validate_password_change(form, &email)
            },
        ),
        texts("User/BeginTwoFactor", &["/Password"], json!({"Password": password}), |text| {
            profile::validate_entered_password(&text("Password"))
        }),
        texts("User/TurnOnTwoFactor", &["/Code"], json!({"Code": "123456"}), |text| {
            two_factor::validate_entered_code(&text("Code"))
        }),
        texts(
            "User/RequestEmailChange",
            &["/Email", "/Password"],
            json!({"Email": "other@example.com", "Password": password}),
            move |text| {
                let changed = sign_in::validate_email_change(&text("Email"), &email);
                both(changed, profile::validate_entered_password(&text("Password")))
            },
        ),
        texts(
            "Ips/AddWhiteList",
            &["/Address", "/Label"],
            json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": "office"}),
            |text| network::validate_whitelist_entry(&text("Address"), &text("Label")),
        ),
        form(
            "ProxyUsers/AddProxyUser",
            USER,
            json!({
                "Name": "ann_1", "Password": "", "Note": "", "LimitGigabytes": "5", "LimitCycle": "month", "ExpiresAt": "",
                "Countries": ["US"], "MaxConnections": "50", "MaxMegabits": "",
            }),
            move |form| proxy_user_form::validate_proxy_user(form, now),
        ),
        form(
            "Traffic/QuoteTraffic",
            &["/Gigabytes", "/PeriodDays"],
            json!({"Gigabytes": 10, "PeriodDays": 30}),
            move |request| quote_traffic(request, &traffic, &Terms::default()).map_err(traffic_error_fields),
        ),
        form(
            "Traffic/SetReorder",
            &["/ThresholdGigabytes", "/Gigabytes", "/PeriodDays", "/MonthlyLimit"],
            json!({"IsOn": true, "ThresholdGigabytes": "2", "Gigabytes": 10, "PeriodDays": 30, "MonthlyLimit": "100"}),
            move |form| reorder::validate_reorder(form, &of_reorder, &Terms::default()),
        ),
    ]
}

#[actix_web::test]
async fn customers_forms_break_the_same_rules_on_both_ends() {
    let shop = Shop::open_with_traffic();
    let customer = shop.owner_of(1, 10_000).await;
    let node_id = shop.nodes_of(&customer).await[0]["NodeId"].clone();
    let begun = shop.call(&customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    assert_eq!(begun.code, 1000, "{begun:?}");
    let traffic = shop.call(&customer, "Traffic/GetTrafficCatalogue", json!({})).await.data;
    let traffic: TrafficCatalogue = serde_json::from_value(traffic).expect("a catalogue");
    let forms = forms_of_customers(&customer.email, node_id, shop.app.clock.now(), traffic);
    compare(&shop, Some(&customer), &forms).await;
}
