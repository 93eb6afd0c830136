//! Cases of payments: what an operator has to look at, because gateway and books would otherwise disagree.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

pub const NOTE_MAX_LENGTH: usize = 500;

wire_enum! {
    /// What is to be looked at.
    PaymentCaseKind {
        /// Another amount than was due has arrived, and was credited.
        OtherAmount = "other_amount",
        /// The gateway lists another amount than was credited, or one that could not be.
        Unequal = "unequal",
        /// The gateway does not list a payment that was credited.
        NotAtGateway = "not_at_gateway",
        /// The gateway lists a payment that the shop does not know.
        NotInShop = "not_in_shop",
        /// A customer disputes a payment with the bank.
        Disputed = "disputed",
        DisputeLost = "dispute_lost",
        DisputeWon = "dispute_won",
        /// A payment was refunded at the gateway.
        RefundedElsewhere = "refunded_elsewhere",
        /// A payment that was credited turned out not to have been paid.
        Invalidated = "invalidated",
        /// A refund of the shop failed: the money is back in the wallet.
        RefundFailed = "refund_failed",
        /// A refund has to be sent by hand, or nobody can tell whether it was made.
        RefundByHand = "refund_by_hand",
    }
}

impl PaymentCaseKind {
    /// Whether each one is another, even with the amounts of one that an operator has closed.
    pub fn is_of_refund(self) -> bool {
        matches!(self, PaymentCaseKind::RefundFailed | PaymentCaseKind::RefundByHand)
    }
}

/// The note with which an operator closes a case.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CloseCaseForm {
    pub case_id: i64,
    /// What was done about it; may be empty.
    #[serde(default)]
    pub note: String,
}

pub fn validate_close_case(form: &CloseCaseForm) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let note = checks.lines("Note", &form.note, NOTE_MAX_LENGTH);
    checks.finish(note)
}
