//! Broken forms: the browser and the server break the same rules at the same fields. Each form is sent with 300 broken values, drawn from a fixed
//! seed, and each answer is compared with core's validation, read from JSON as the browser's does.
use crate::shop::{Customer, PASSWORD, Shop};
use postern_core::bounds::FORM_TEXTS;
use postern_core::field_errors::FieldErrors;
use postern_core::misfit;
use postern_core::rule::Rule;
use postern_core::support::canned::validate_canned_answer;
use postern_core::{account, money, operator_forms, proxy_server, referral, sign_in};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Broken values per form.
const BROKEN: usize = 300;

type Check<'c> = Box<dyn Fn(&Value) -> FieldErrors + 'c>;

/// A form: its call, a valid body, and core's validation of it.
pub struct Form<'c> {
    call: &'static str,
    body: Value,
    /// The fields that are changed: paths in the body.
    fields: &'static [&'static str],
    check: Check<'c>,
    /// Whether the browser passes texts one by one, so that other types cannot occur.
    has_texts_only: bool,
}

/// A form that the browser passes as an object.
pub fn form<'c, F: DeserializeOwned, T>(
    call: &'static str,
    fields: &'static [&'static str],
    body: Value,
    rules: impl Fn(&F) -> Result<T, FieldErrors> + 'c,
) -> Form<'c> {
    let check = move |body: &Value| match misfit::read::<F, _>(body) {
        Ok(form) => rules(&form).err().unwrap_or_default(),
        // The browser's functions throw for what no user can enter.
        Err(error) => error.broken_rule().unwrap_or_else(|| {
            let rule = if error.is_missing() { Rule::Required } else { Rule::WrongValue };
            FieldErrors::one(&error.path, rule, &[])
        }),
    };
    Form { call, body, fields, check: Box::new(check), has_texts_only: false }
}

/// A form whose texts the browser passes one by one.
pub fn texts<'c, T>(
    call: &'static str,
    fields: &'static [&'static str],
    body: Value,
    rules: impl Fn(&dyn Fn(&str) -> String) -> Result<T, FieldErrors> + 'c,
) -> Form<'c> {
    let check = move |body: &Value| {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        rules(&text).err().unwrap_or_default()
    };
    Form { call, body, fields, check: Box::new(check), has_texts_only: true }
}

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % limit as u64) as usize
    }

    /// A text that some form refuses.
    fn text(&mut self, is_of_form: bool) -> String {
        const TEXTS: &[&str] = &[
            "",
            " ",
            "\t",
            "a",
            "ab",
            "A",
            "7",
            "-1",
            "0",
            "0.001",
            "1.5",
            "1,5",
            "1e3",
            "+1",
            "١٢",
            "9999999999999",
            "1000001",
            "NULL",
            "null",
            "a b",
            "a\nb",
            "\r\n",
            "\u{202e}gnp",
            "\u{200b}",
            "\u{ad}",
            "\u{2800}",
            "\u{fffd}",
            "😀",
            "密码",
            "ÉCOLE",
            "=1+1",
            "<b>",
            "a@b",
            "a@b.c",
            "nobody",
            "@example.com",
            "https://",
            "http://example.com",
            "https://10.0.0.1/x",
            "https://a:b@example.com",
            "https://example.com/#x",
            "10.0.0.1",
            "8.8.8.8/4",
            "::1",
            "8.8.8.8:80",
            "256.1.1.1",
            "XX",
            "nowhere",
            "barcelona",
            "us",
            "#12",
            "#gggggg",
            "2020-01-01 00:00:00",
            "2026-02-30 00:00:00",
            "tomorrow",
            "{nobody}",
            "password",
            "aaaaaaaaaaaa",
            "short1",
            "65536",
            "0x10",
            "100.01",
            "200",
            "TEN OFF",
        ];
        const LENGTHS: &[usize] = &[2, 17, 33, 41, 65, 101, 121, 129, 201, 256, 257, 321, 501, 999];
        match self.below(if is_of_form { 10 } else { 8 }) {
            0..7 => TEXTS[self.below(TEXTS.len())].to_owned(),
            7 => ["x", "密", "9", "é"][self.below(4)].repeat(LENGTHS[self.below(LENGTHS.len())]),
            8 => "y".repeat([1_001, 2_001, 4_001, 12_000][self.below(4)]),
            _ => "a\u{0}b".to_owned(),
        }
    }

    fn number(&mut self) -> Value {
        let numbers = [
            json!(-1),
            json!(0),
            json!(1.5),
            json!(-0.5),
            json!(3),
            json!(255),
            json!(256),
            json!(4_294_967_295_u64),
            json!(4_294_967_296_u64),
            json!(9_007_199_254_740_993_u64),
            json!(1e300),
            json!(-2_147_483_649_i64),
        ];
        numbers[self.below(numbers.len())].clone()
    }
}

/// Changes some fields of a body.
fn broken_body(form: &Form<'_>, draw: &mut Draw) -> Value {
    let mut body = form.body.clone();
    let name_of = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let pick = |draw: &mut Draw| form.fields[draw.below(form.fields.len())];
    if !form.has_texts_only && draw.below(4) == 0 {
        // A value of another type hides all other errors, so there is only one.
        let path = pick(draw);
        let (parent, name) = path.rsplit_once('/').expect("a path");
        let others =
            [json!(null), json!(7), json!(true), json!([]), json!({}), json!("no"), draw.number(), json!([null])];
        let other = others[draw.below(others.len())].clone();
        match body.pointer_mut(parent) {
            Some(Value::Object(fields)) if draw.below(4) == 0 => drop(fields.remove(name)),
            _ => *body.pointer_mut(path).expect("a field") = other,
        }
        return body;
    }
    for _ in 0..=draw.below(form.fields.len().min(4)) {
        let path = pick(draw);
        let is_of_form = path.matches('/').count() == 1 && FORM_TEXTS.contains(&name_of(path).as_str());
        let changed = match body.pointer(path) {
            Some(Value::String(_)) => json!(draw.text(is_of_form)),
            Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
                let count = [0, 1, 2, 51, 60][draw.below(5)];
                (0..count).map(|_| json!(draw.text(false))).collect()
            }
            _ => continue,
        };
        *body.pointer_mut(path).expect("a field") = changed;
    }
    body
}

pub async fn compare(shop: &Shop, who: Option<&Customer>, forms: &[Form<'_>]) {
    for (number, form) in forms.iter().enumerate() {
        assert!((form.check)(&form.body).is_empty(), "{}: {:?}", form.call, (form.check)(&form.body));
        let mut draw = Draw(number as u64 + 34);
        let mut differing: BTreeMap<String, String> = BTreeMap::new();
        let (mut broken, mut drawn) = (0, 0);
        while broken < BROKEN {
            drawn += 1;
            assert!(drawn < 40 * BROKEN, "{}: only {broken} are broken", form.call);
            let body = broken_body(form, &mut draw);
            let expected = (form.check)(&body);
            if expected.is_empty() {
                continue;
            }
            broken += 1;
            let answer = match who {
                Some(customer) => shop.call(customer, form.call, body.clone()).await,
                None => shop.send(form.call, body.clone(), &[]).await,
            };
            let expected = json!(expected);
            if answer.code != 2001 || answer.data["Fields"] != expected {
                let told = format!("{} {}: {}", answer.code, answer.data, answer.message);
                let body: String = body.to_string().chars().take(300).collect();
                let shown: String = told.chars().take(300).collect();
                differing
                    .entry(format!("{expected}").chars().take(200).collect())
                    .or_insert(format!("{shown} for {body}"));
            }
        }
        let few: Vec<_> = differing.iter().take(5).collect();
        assert!(few.is_empty(), "{}: {} differ, such as {few:#?}", form.call, differing.len());
    }
}

#[actix_web::test]
async fn visitors_forms_break_the_same_rules_on_both_ends() {
    let shop = Shop::open();
    let (email, password) = ("ann@example.com", PASSWORD);
    let forms = [
        form(
            "User/SignUp",
            &["/Email", "/Password", "/InviteCode"],
            json!({"Email": email, "Password": password, "InviteCode": "", "Language": "en", "TimeZone": "UTC"}),
            sign_in::validate_sign_up,
        ),
        form(
            "User/Login",
            &["/Email", "/Password"],
            json!({"Email": email, "Password": password}),
            sign_in::validate_login,
        ),
        texts("User/RequestPasswordReset", &["/Email"], json!({"Email": email}), |text| {
            sign_in::validate_reset_request(&text("Email"))
        }),
        texts("User/ResetPassword", &["/Password"], json!({"ResetToken": "x", "Password": password}), |text| {
            sign_in::validate_new_password(&text("Password"), "")
        }),
    ];
    compare(&shop, None, &forms).await;
}

#[actix_web::test]
async fn operators_forms_break_the_same_rules_on_both_ends() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(1, 10_000).await, shop.operator());
    let orders = shop.call(&customer, "Order/GetOrderList", json!({})).await.data;
    let number = orders["Rows"][0]["OrderNumber"].clone();
    let paid = money::Money::from_minor(500);
    let (account_id, now) = (customer.account_id, shop.app.clock.now());
    let forms = [
        texts(
            "Operator/RefundOrder",
            &["/Amount", "/Reason"],
            json!({"OrderNumber": number, "Amount": "1", "Reason": "slow", "NodeIds": []}),
            |text| {
                let form = operator_forms::ReasonedAmountForm { amount: text("Amount"), reason: text("Reason") };
                operator_forms::validate_refund(&form, paid, money::Money::ZERO)
            },
        ),
        form(
            "Operator/SetAccountTerms",
            &["/Level", "/Discount"],
            json!({"AccountId": account_id, "Level": 1, "Discount": "10"}),
            operator_forms::validate_account_terms,
        ),
        texts(
            "Operator/SetAccountState",
            &["/Reason"],
            json!({"AccountId": account_id, "State": "suspended", "Reason": "chargebacks"}),
            |text| operator_forms::validate_state_reason(account::AccountState::Suspended, &text("Reason")),
        ),
        form(
            "Operator/AddReferralRule",
            &["/RatePercent", "/ValidFrom"],
            json!({"RatePercent": "10", "ValidFrom": ""}),
            move |form| referral::validate_referral_rule(form, now),
        ),
        form(
            "Operator/AddProxyServer",
            &["/Name", "/Host", "/HttpPort", "/Socks5Port"],
            json!({"Name": "one", "Kind": "static", "Host": "gate.example", "HttpPort": "8000", "Socks5Port": ""}),
            proxy_server::validate_proxy_server,
        ),
        form(
            "Operator/SaveCannedAnswer",
            &["/Title", "/Text"],
            json!({"Title": "Hello", "Text": "Hello {name}"}),
            validate_canned_answer,
        ),
    ];
    compare(&shop, Some(&operator), &forms).await;
}
