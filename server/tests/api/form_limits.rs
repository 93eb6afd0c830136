//! What a form says of places, numbers and texts that it cannot take: its own rule at each field, in the reader's language.
use crate::shop::{Shop, clients, order_for};
use postern_core::bounds::FORM_TEXTS;
use serde_json::{Value, json};

#[actix_web::test]
async fn places_that_do_not_exist_are_refused_where_they_stand_not_sold_out() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    for (country, city, field, rule) in [
        ("DE", "barcelona", "Lines.0.City", "unknownCity"),
        ("XX", "nowhere", "Lines.0.Country", "unknownCountry"),
        ("", "", "Lines.0.Country", "unknownCountry"),
        ("de", "berlin", "Lines.0.Country", "unknownCountry"),
    ] {
        for call in ["Order/QuoteOrder", "Order/CreateOrder"] {
            let answer = shop.call(&customer, call, order_for(&[(country, city, 1)], "5.00")).await;
            assert_eq!(answer.data["Fields"][field][0]["Rule"], rule, "{call} {country}/{city}: {answer:?}");
        }
    }
}

#[actix_web::test]
async fn numbers_that_do_not_fit_are_refused_by_field_in_the_readers_language() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    for (pointer, number, field, rule) in [
        ("/PeriodDays", json!(-1), "PeriodDays", json!([{"Rule": "min", "Params": {"Min": "0"}}])),
        ("/Lines/0/Quantity", json!(1.5), "Lines.0.Quantity", json!([{"Rule": "notWhole", "Params": {}}])),
        (
            "/Lines/0/Quantity",
            json!(4_294_967_296_u64),
            "Lines.0.Quantity",
            json!([{"Rule": "max", "Params": {"Max": "4294967295"}}]),
        ),
        ("/VerStr", json!(7), "VerStr", json!([{"Rule": "wrongValue", "Params": {}}])),
    ] {
        let mut body = order_for(&[("US", "new-york", 1)], "5.00");
        *body.pointer_mut(pointer).expect("a field") = number;
        let headers = [("Token", customer.token.as_str()), ("Accept-Language", "zh-CN")];
        let answer = shop.send("Order/CreateOrder", body, &headers).await;
        assert_eq!((answer.code, &answer.data["Fields"]), (2001, &json!({ field: rule })), "{answer:?}");
        assert!(!answer.message.contains("expected") && !answer.message.contains("invalid"), "{}", answer.message);
    }
}

/// Every text of a form is refused by the form's own rule if it is long or has a NUL, together with its other fields.
#[actix_web::test]
async fn the_forms_own_limits_are_told_with_all_other_errors() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    let long = "x".repeat(1_001);
    for (call, body, rules) in [
        (
            "Ips/AddUserPlanGroup",
            json!({"Name": "", "Colour": "red", "Note": long}),
            vec![("Colour", "colour", ""), ("Name", "required", ""), ("Note", "maxLength", "256")],
        ),
        (
            "User/ChangePassword",
            json!({"CurrentPassword": long, "NewPassword": long, "DeviceId": ""}),
            vec![("CurrentPassword", "maxLength", "128"), ("NewPassword", "maxLength", "128")],
        ),
        ("User/BeginTwoFactor", json!({"Password": long}), vec![("Password", "maxLength", "128")]),
        ("Ips/EditNodeNote", json!({"NodeIds": [1], "Note": "a\u{0}b"}), vec![("Note", "invisibleCharacters", "")]),
    ] {
        let answer = shop.call(&customer, call, body).await;
        let fields = answer.data["Fields"].as_object().cloned().unwrap_or_default();
        let told: Vec<(&str, &str, &str)> = fields
            .iter()
            .map(|(field, broken)| {
                let text = |value: &'static str| broken[0].pointer(value).and_then(Value::as_str).unwrap_or_default();
                (field.as_str(), text("/Rule"), text("/Params/Max"))
            })
            .collect();
        assert!(rules.iter().all(|rule| told.contains(rule)), "{call}: {answer:?}");
    }
}

/// The general limits leave these texts to their forms, so each form has to refuse what no database can store, and what is too long.
#[actix_web::test]
async fn every_form_refuses_texts_that_are_left_to_its_own_rules() {
    let shop = Shop::open();
    let operator = shop.operator();
    let document = clients::get(format!("{}/api/openapi.json", shop.url)).await.expect("an answer");
    let document: Value = document.json().await.expect("JSON");
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let Some(call) = path.strip_prefix("/api/") else { continue };
        let example = &methods["post"]["requestBody"]["content"]["application/json"]["example"];
        for field in FORM_TEXTS.iter().filter(|field| example[**field].is_string() || example[**field].is_array()) {
            for text in ["x".repeat(5_000), "a\u{0}b".to_owned()] {
                let mut body = example.clone();
                body[*field] = if example[*field].is_array() { json!([text]) } else { json!(text) };
                let answer = shop.call(&operator, call, body).await;
                assert!(!matches!(answer.code, 1000 | 5000), "{call} takes {field}: {answer:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 80, "{tried}");
}
