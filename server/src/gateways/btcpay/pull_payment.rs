//! Pull payments of BTCPay Server, with the fields used here, and what has become of them.
use crate::gateways::btcpay::invoice::text;
use crate::gateways::gateway::KnownRefund;
use postern_core::money::Money;
use postern_core::payment_return::ReturnState;
use serde::Deserialize;

/// Money that somebody may ask for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullPayment {
    pub id: String,
    /// The shop's id of the refund.
    #[serde(default)]
    pub description: String,
    #[serde(deserialize_with = "text")]
    amount: String,
    /// Whether it was ended: nothing more can be asked for.
    #[serde(default)]
    archived: bool,
    /// The page on which the customer says where it goes.
    view_link: String,
}

/// What was asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    /// `AwaitingApproval`, `AwaitingPayment`, `InProgress`, `Completed` or `Cancelled`.
    state: String,
    /// In the currency of the pull payment. Servers before 2.0 have another name for it.
    #[serde(alias = "amount", deserialize_with = "text")]
    original_amount: String,
}

impl PullPayment {
    /// What has become of it; `None` if an amount cannot be read.
    pub fn known(self, payouts: &[Payout]) -> Option<KnownRefund> {
        let whole = Money::parse(&self.amount).ok()?;
        let sum = |is_counted: &dyn Fn(&Payout) -> bool| {
            let counted = payouts.iter().filter(|payout| is_counted(payout));
            let amounts = counted.map(|payout| Money::parse(&payout.original_amount).ok()).collect::<Option<Vec<_>>>();
            Money::sum(amounts?).ok()
        };
        let paid = sum(&|payout| payout.state == "Completed")?;
        let asked = sum(&|payout| payout.state != "Cancelled")?;
        let (state, amount) = match () {
            () if paid >= whole => (ReturnState::Final, whole),
            // What nobody has asked for stays with the seller.
            () if self.archived && paid == asked && paid.is_zero() => (ReturnState::Undone, whole),
            () if self.archived && paid == asked => (ReturnState::Final, paid),
            () => (ReturnState::Open, whole),
        };
        // A link of a web page, whatever the server says.
        let is_page = ["https://", "http://"].iter().any(|scheme| self.view_link.starts_with(scheme));
        let claim_url = (state == ReturnState::Open && asked < whole && is_page).then_some(self.view_link);
        Some(KnownRefund { gateway_reference: self.id, state, amount, claim_url })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The state, the amount, and whether it can still be claimed.
    fn known(archived: bool, payouts: Value) -> (&'static str, i64, bool) {
        let made = json!({ "id": "a", "name": "b", "amount": 10, "currency": "USD", "archived": archived, "viewLink": "https://c" });
        let made: PullPayment = serde_json::from_value(made).expect("a pull payment");
        let payouts: Vec<Payout> = serde_json::from_value(payouts).expect("payouts");
        let known = made.known(&payouts).expect("amounts");
        (known.state.as_str(), known.amount.minor(), known.claim_url.is_some())
    }

    #[test]
    fn a_pull_payment_is_over_when_it_is_paid_out_or_ended() {
        let payout = |state: &str, amount: &str| json!({ "state": state, "originalAmount": amount });
        assert_eq!(known(false, json!([])), ("open", 1_000, true));
        assert_eq!(known(false, json!([payout("AwaitingPayment", "10.00")])), ("open", 1_000, false));
        assert_eq!(known(false, json!([payout("Cancelled", "10.00")])), ("open", 1_000, true));
        assert_eq!(known(false, json!([payout("Completed", "4.00")])), ("open", 1_000, true));
        assert_eq!(
            known(false, json!([payout("Completed", "4.00"), payout("Completed", "6")])),
            ("final", 1_000, false)
        );
        assert_eq!(known(true, json!([payout("Cancelled", "10.00")])), ("undone", 1_000, false));
        assert_eq!(known(true, json!([payout("Completed", "4.00")])), ("final", 400, false));
        // It may still be paid out.
        assert_eq!(known(true, json!([payout("InProgress", "10.00")])), ("open", 1_000, false));
        let older = json!([{ "state": "Completed", "amount": 10 }]);
        assert_eq!(known(false, older), ("final", 1_000, false));
    }
}
