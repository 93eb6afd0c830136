//! Roles of operators' accounts: what support and accountants may do, by sessions and by keys.
use crate::shop::{Customer, Shop, order_for};
use crate::support::uploaded;
use postern_core::calls::{Access, calls};
use postern_core::operator_forms::AccountTermsForm;
use postern_core::staff::StaffRole;
use postern_server::accounts::queries::set_terms_of;
use postern_server::accounts::staff::who_may;
use postern_server::audit::Actor;
use serde_json::{Value, json};

impl Shop {
    /// A signed-in member of the staff.
    fn staff(&self, role: StaffRole) -> Customer {
        let staff = self.customer(0);
        self.appoints(&staff, role);
        staff
    }

    pub fn appoints(&self, staff: &Customer, role: StaffRole) {
        let form = AccountTermsForm { level: 2, discount: String::new(), role: Some(role) };
        let now = self.app.clock.now();
        let set = self.app.db.write_blocking(|conn| set_terms_of(conn, &staff.email, &form, &Actor::command(), now));
        set.expect("a role");
    }
}

#[actix_web::test]
async fn every_operators_call_is_open_to_exactly_the_roles_of_cores_table() {
    let shop = Shop::open();
    for role in [StaffRole::Support, StaffRole::Accountant] {
        let staff = shop.staff(role);
        let key = json!({"Name": "all", "Scopes": ["operator"], "Addresses": [], "ExpiresAt": ""});
        let key = shop.call(&staff, "ApiKeys/AddApiKey", key).await.data["Secret"].clone();
        let by_key = Customer { token: key.as_str().expect("a key").to_owned(), ..staff.clone() };
        for call in calls().iter().filter(|call| call.access == Access::Operator && !call.is_upload) {
            for who in [&staff, &by_key] {
                // A stream waits for news; its admission is what counts.
                if call.name == "Operator/WaitForConversations" {
                    continue;
                }
                let answer = shop.download(who, call.name, json!({})).await;
                // A key is refused calls in person, too, which it is told.
                let is_refused = answer.contains("\"Code\":3003") && !answer.contains("\"Needed\"");
                assert_eq!(is_refused, !role.may_call(call.name), "{role:?} {} {answer}", call.name);
            }
        }
    }
}

#[actix_web::test]
async fn support_refunds_orders_up_to_the_sellers_limit() {
    let shop = Shop::open();
    let (operator, support) = (shop.operator(), shop.staff(StaffRole::Support));
    let owner = shop.customer(7_500);
    shop.stock("US", "new-york", 15);
    shop.buys(&owner, order_for(&[("US", "new-york", 15)], "75.00")).await;
    let orders = shop.call(&owner, "Order/GetOrderList", json!({})).await.data;
    let number = orders["Rows"][0]["OrderNumber"].clone();
    let refund = |amount: &str| json!({"OrderNumber": number, "Amount": amount, "Reason": "slow"});
    for call in ["Operator/PreviewRefund", "Operator/RefundOrder"] {
        let refused = shop.call(&support, call, refund("50.01")).await;
        assert_eq!(
            (refused.code, &refused.data["Key"], &refused.data["Max"]),
            (3333, &json!("supportRefundLimit"), &json!(50))
        );
    }
    assert_eq!(shop.call(&support, "Operator/RefundOrder", refund("30.00")).await.code, 1000);
    assert_eq!(shop.call(&support, "Operator/RefundOrder", refund("20.01")).await.code, 3333, "in several parts");
    let whole = json!({"OrderNumber": number, "Reason": "all of it"});
    assert_eq!(shop.call(&support, "Operator/RefundOrder", whole).await.code, 3333, "nor by the unused time");
    let raised = shop.call(&operator, "Operator/SetLimit", json!({"Limit": "support_refund", "Most": "51"})).await;
    assert_eq!(raised.code, 1000, "{:?}", raised.data);
    assert_eq!(shop.call(&support, "Operator/RefundOrder", refund("20.01")).await.code, 1000);
    assert_eq!(
        shop.call(&operator, "Operator/RefundOrder", refund("5.00")).await.code,
        1000,
        "operators have no limit"
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_operator_appoints_support_and_accountants_and_dismisses_them_at_once() {
    let shop = Shop::open();
    let (operator, person) = (shop.operator(), shop.customer(0));
    let set = async |who: &Customer, of: &Customer, level: u8, role: Value| {
        let body = json!({"AccountId": of.account_id, "Level": level, "Discount": "", "Role": role});
        shop.call(who, "Operator/SetAccountTerms", body).await
    };
    assert_eq!(set(&operator, &person, 2, json!("operator")).await.code, 3003);
    assert_eq!(set(&operator, &person, 2, Value::Null).await.code, 3003, "no role is every right");
    let made = set(&operator, &person, 2, json!("support")).await;
    assert_eq!((made.code, &made.data["Account"]["Role"]), (1000, &json!("support")));
    let changes = made.data["History"][0]["Changes"].as_array().expect("changes");
    let role = changes.iter().find(|change| change["Field"] == "role").expect("the role");
    assert_eq!((&role["Before"], &role["After"]), (&Value::Null, &json!("support")));
    let info = shop.call(&person, "User/GetUserInfo", json!({})).await.data;
    assert_eq!((&info["Level"], &info["Role"]), (&json!(2), &json!("support")));
    assert_eq!(shop.call(&person, "Operator/GetConversationList", json!({})).await.code, 1000);
    assert_eq!(set(&person, &shop.customer(0), 2, json!("support")).await.code, 3003, "support appoints nobody");

    // A view of a customer ends with the right to it.
    let customer = shop.customer(0);
    let view = shop.call(&person, "Operator/ViewAsCustomer", json!({"AccountId": customer.account_id})).await.data;
    let view = Customer { token: view["Token"].as_str().expect("a token").to_owned(), ..customer };
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(set(&operator, &person, 2, json!("accountant")).await.code, 1000);
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 3001);
    assert_eq!(shop.call(&person, "Operator/GetConversationList", json!({})).await.code, 3003);
    assert_eq!(shop.call(&person, "Operator/GetPaymentList", json!({})).await.code, 1000);

    assert_eq!(set(&operator, &person, 0, Value::Null).await.code, 1000);
    assert_eq!(shop.call(&person, "Operator/GetPaymentList", json!({})).await.code, 3003);
    assert_eq!(
        set(&operator, &operator, 2, json!("support")).await.code,
        3003,
        "operators are dismissed on the server"
    );
}

#[actix_web::test]
async fn rows_of_customers_are_read_by_those_who_may_list_them() {
    let shop = Shop::open();
    let (support, accountant) = (shop.staff(StaffRole::Support), shop.staff(StaffRole::Accountant));
    let owner = shop.owner_of(1, 0).await;
    let invoices = shop.call(&owner, "Billing/GetInvoiceList", json!({})).await.data;
    let invoice = json!({"InvoiceNumber": invoices["Rows"][0]["InvoiceNumber"]});
    for who in [&support, &accountant] {
        assert_eq!(shop.call(who, "Billing/GetInvoice", invoice.clone()).await.code, 1000);
    }
    assert_eq!(shop.call(&shop.customer(0), "Billing/GetInvoice", invoice).await.code, 3004);
    let file = json!(uploaded(&shop, &owner, "a.txt", b"secret").await);
    let message = json!({"Text": "my log", "AttachmentIds": [file]});
    assert_eq!(shop.call(&owner, "Support/SendMessage", message).await.code, 1000);
    let reads = async |who: &Customer| shop.download(who, "Support/GetAttachment", json!({"AttachmentId": file})).await;
    assert_eq!(reads(&support).await, "secret");
    assert!(reads(&accountant).await.contains("3004"));
}

#[actix_web::test]
async fn mails_go_to_those_who_can_do_something_about_them() {
    let shop = Shop::open();
    let (operator, support, _accountant) =
        (shop.operator(), shop.staff(StaffRole::Support), shop.staff(StaffRole::Accountant));
    let told = |call: &str| {
        let found = shop.app.db.read_blocking(|conn| who_may(conn, call)).expect("addresses");
        found.into_iter().map(|(email, _)| email).collect::<Vec<_>>()
    };
    assert_eq!(told("Operator/SendReply"), [operator.email.clone(), support.email], "chats");
    assert_eq!(told("Operator/AdjustWallet"), [operator.email], "alarms");
}
