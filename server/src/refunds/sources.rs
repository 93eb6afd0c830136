//! Where the money of a refund goes, and who may refund how much.
use crate::db::Conn;
use crate::error::AppError;
use crate::order_rows::limits;
use crate::refunds::types::{RefundOrder, RefundSource};
use crate::returns::source::Source;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use postern_core::rule::Rule;
use postern_core::staff::StaffRole;
use postern_core::unpaid::Limit;
use serde_json::json;

/// The source, if the money is to go back there. Refused if it cannot.
pub fn chosen(form: &RefundOrder, source: Option<Source>, amount: Money) -> Result<Option<Source>, AppError> {
    if !form.to_source {
        return Ok(None);
    }
    let source = source.ok_or_else(|| FieldErrors::one("ToSource", Rule::NothingToRefund, &[]))?;
    if amount > source.left {
        let field = if form.amount.is_some() { "Amount" } else { "ToSource" };
        return Err(FieldErrors::one(field, Rule::AmountMax, &[("Max", source.left.to_string())]).into());
    }
    Ok(Some(source))
}

/// Where the money of a refund can go back to, and what it is there.
pub fn source_view(source: &Source, left: Money, amount: Money) -> Result<RefundSource, AppError> {
    let charged = (amount <= left).then(|| source.charged(amount)).transpose()?;
    Ok(RefundSource {
        gateway: source.gateway(),
        is_by_hand: source.is_by_hand,
        must_be_claimed: source.must_be_claimed,
        left,
        charged: charged.map(|charged| charged.0),
        charged_currency: charged.map(|charged| charged.1),
    })
}

/// Refuses support a refund that takes an order beyond the seller's limit.
pub fn check_role(conn: &mut Conn, role: StaffRole, refunded: Money, amount: Money) -> Result<(), AppError> {
    let most = limits::most(conn, Limit::SupportRefund)?;
    if role.may_refund(refunded, amount, u32::try_from(most).unwrap_or_default()) {
        return Ok(());
    }
    Err(AppError::with(Code::ShownInPlace, json!({ "Key": Limit::SupportRefund.refusal(), "Max": most })))
}
