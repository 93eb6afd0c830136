//! The pull payments of a BTCPay Server: a page asks where the money goes, and what is claimed is paid out.
use super::{Btcpay, ICON, refuse};
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use postern_core::money::Money;
use serde_json::{Value, json};

pub struct Pull {
    asked: Value,
    is_archived: bool,
    /// Amount and state.
    payouts: Vec<(Money, &'static str)>,
}

impl Pull {
    fn amount(&self) -> Money {
        Money::parse(self.asked["amount"].as_str().unwrap_or_default()).expect("an amount")
    }

    fn claimed(&self) -> Money {
        let claimed = self.payouts.iter().filter(|payout| payout.1 != "Cancelled").map(|payout| payout.0);
        Money::sum(claimed).expect("a sum")
    }
}

impl Btcpay {
    /// What was asked for with each pull payment.
    pub fn pulls(&self) -> Vec<Value> {
        self.pulls.lock().expect("pulls").iter().map(|pull| pull.asked.clone()).collect()
    }

    /// What has been paid out, or still can be, of all pull payments with this description.
    pub fn given_up(&self, description: &str) -> Money {
        let pulls = self.pulls.lock().expect("pulls");
        let of = pulls.iter().filter(|pull| pull.asked["description"] == description);
        Money::sum(of.map(|pull| if pull.is_archived { pull.claimed() } else { pull.amount() })).expect("a sum")
    }

    /// Whether a pull payment with this description has been paid out, or ended with nothing being paid out.
    pub fn is_over(&self, description: &str) -> bool {
        let pulls = self.pulls.lock().expect("pulls");
        let mut of = pulls.iter().filter(|pull| pull.asked["description"] == description);
        of.any(|pull| {
            let paid = pull.payouts.iter().filter(|payout| payout.1 == "Completed").map(|payout| payout.0);
            let paid = Money::sum(paid).expect("a sum");
            paid == pull.amount() || (pull.is_archived && paid == pull.claimed())
        })
    }

    /// The customer claims this much of a pull payment, or what is left of it. Of one that was ended nothing can be claimed.
    pub fn claims(&self, index: usize, amount: &str) {
        let pull = &mut self.pulls.lock().expect("pulls")[index];
        let left = pull.amount().checked_sub(pull.claimed()).expect("a difference");
        let amount = Money::parse(amount).expect("an amount").min(left);
        if !pull.is_archived && !amount.is_zero() {
            pull.payouts.push((amount, "AwaitingPayment"));
        }
    }

    pub fn claims_rest(&self, index: usize) {
        let amount = self.pulls.lock().expect("pulls")[index].amount().to_string();
        self.claims(index, &amount);
    }

    /// What is claimed becomes this: `InProgress`, `Completed` or `Cancelled`.
    pub fn payouts_become(&self, index: usize, state: &'static str) {
        let mut pulls = self.pulls.lock().expect("pulls");
        let open = pulls[index].payouts.iter_mut().filter(|payout| !matches!(payout.1, "Completed" | "Cancelled"));
        open.for_each(|payout| payout.1 = state);
    }

    /// The seller ends a pull payment: what is not being paid out is not.
    pub fn archives(&self, index: usize) {
        let pull = &mut self.pulls.lock().expect("pulls")[index];
        pull.is_archived = true;
        pull.payouts.iter_mut().filter(|payout| payout.1 == "AwaitingPayment").for_each(|one| one.1 = "Cancelled");
    }
}

fn view(double: &Btcpay, index: usize, pull: &Pull) -> Value {
    json!({
        "id": format!("pull{index}"), "name": pull.asked["name"], "description": pull.asked["description"],
        "currency": pull.asked["currency"], "amount": pull.asked["amount"], "autoApproveClaims": true,
        "archived": pull.is_archived, "viewLink": format!("{}/pull-payments/pull{index}", double.url),
    })
}

fn index_of(id: &str) -> usize {
    id.strip_prefix("pull").and_then(|number| number.parse().ok()).unwrap_or(usize::MAX)
}

async fn create(
    double: web::Data<Btcpay>,
    request: HttpRequest,
    store: web::Path<String>,
    asked: web::Json<Value>,
) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &store) {
        return refused;
    }
    let known = ["name", "description", "amount", "currency", "autoApproveClaims"];
    let is_known = asked.as_object().is_some_and(|fields| fields.keys().all(|name| known.contains(&name.as_str())));
    if !is_known || !asked["amount"].is_string() {
        return HttpResponse::UnprocessableEntity().json(json!([{"path": "amount", "message": "Invalid"}]));
    }
    let mut pulls = double.pulls.lock().expect("pulls");
    let pull = Pull { asked: asked.0, is_archived: false, payouts: Vec::new() };
    let answer = view(&double, pulls.len(), &pull);
    pulls.push(pull);
    drop(pulls);
    // It is made, and the answer is lost.
    if double.failures.lock().expect("failures").pop_if(|status| *status == 504).is_some() {
        return HttpResponse::GatewayTimeout().finish();
    }
    HttpResponse::Ok().json(answer)
}

async fn list(double: web::Data<Btcpay>, request: HttpRequest, store: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &store) {
        return refused;
    }
    let pulls = double.pulls.lock().expect("pulls");
    let found = pulls.iter().enumerate().map(|(index, pull)| view(&double, index, pull));
    HttpResponse::Ok().json(found.collect::<Vec<_>>())
}

async fn retrieve(double: web::Data<Btcpay>, id: web::Path<String>) -> HttpResponse {
    let index = index_of(&id);
    match double.pulls.lock().expect("pulls").get(index) {
        Some(pull) => HttpResponse::Ok().json(view(&double, index, pull)),
        None => HttpResponse::NotFound().json(json!({"code": "pullpayment-not-found", "message": "not found"})),
    }
}

async fn payouts(double: web::Data<Btcpay>, id: web::Path<String>) -> HttpResponse {
    let pulls = double.pulls.lock().expect("pulls");
    let payouts = pulls[index_of(&id)].payouts.iter().map(|(amount, state)| {
        json!({
            "id": "payout", "revision": 0, "pullPaymentId": id.as_str(), "date": 0, "destination": "bc1q",
            "originalCurrency": "USD", "originalAmount": amount, "payoutCurrency": "BTC", "payoutAmount": null,
            "payoutMethodId": "BTC-CHAIN", "state": state,
        })
    });
    HttpResponse::Ok().json(payouts.collect::<Vec<_>>())
}

/// The page on which the customer claims the money, for journeys; the seller pays out on the same one.
async fn page(double: web::Data<Btcpay>, id: web::Path<String>) -> HttpResponse {
    let pulls = double.pulls.lock().expect("pulls");
    let states: Vec<_> = pulls[index_of(&id)].payouts.iter().map(|payout| payout.1).collect();
    let buttons = [("claim", "Claim"), ("pay", "Pay out")].map(|(action, label)| {
        format!("<form method=post action=\"/pull-payments/{id}/{action}\"><button>{label}</button></form>")
    });
    HttpResponse::Ok().content_type("text/html").body(format!("{ICON}<h1>{states:?}</h1>{}", buttons.concat()))
}

async fn act(double: web::Data<Btcpay>, path: web::Path<(String, String)>) -> HttpResponse {
    let (id, action) = path.into_inner();
    let index = index_of(&id);
    match action.as_str() {
        "claim" => double.claims_rest(index),
        _ => double.payouts_become(index, "Completed"),
    }
    HttpResponse::SeeOther().insert_header((LOCATION, format!("/pull-payments/{id}"))).finish()
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/api/v1/stores/{store}/pull-payments", web::post().to(create))
        .route("/api/v1/stores/{store}/pull-payments", web::get().to(list))
        .route("/api/v1/pull-payments/{id}", web::get().to(retrieve))
        .route("/api/v1/pull-payments/{id}/payouts", web::get().to(payouts))
        .route("/pull-payments/{id}", web::get().to(page))
        .route("/pull-payments/{id}/{action}", web::post().to(act));
}
