//! Receipts of what has no invoice: top-ups, and changes of a wallet by the seller. They print the ledger, which nothing changes.
use super::sheet::{MARGIN, RIGHT, SOFT, STRONG, SUMS, Sheet, TEXT, TOTAL, utc};
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::customers::{Parties, customer};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{ledger_transactions, orders, payments, wallet_adjustments};
use crate::texts::Texts;
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::invoice::receipt_number;
use postern_core::language::Language;
use postern_core::ledger::EntryKind;
use postern_core::money::{Currency, Money};
use postern_core::order::{PaymentMethod, PaymentState};
use postern_core::time::to_wire;
use serde_json::json;

/// What a receipt says.
pub struct Receipt {
    pub number: String,
    parties: Parties,
    kind: EntryKind,
    /// Positive for money that was added to the wallet.
    change: Money,
    balance_after: Money,
    currency: Currency,
    order_number: Option<String>,
    payment_method: Option<PaymentMethod>,
    /// Why an operator changed the wallet.
    reason: Option<String>,
    created_at: String,
}

/// The receipt of a transaction, of this account or of any. 3004 if there is none, as for a purchase, which has an invoice.
pub fn find(conn: &mut Conn, account_id: Option<i64>, transaction_id: i64) -> Result<Receipt, AppError> {
    type Row = (i64, EntryKind, i64, i64, Currency, Option<i64>, NaiveDateTime, Option<String>, Option<String>);
    let row: Option<Row> = ledger_transactions::table
        .left_join(orders::table.on(orders::id.nullable().eq(ledger_transactions::order_id)))
        .left_join(wallet_adjustments::table.on(wallet_adjustments::id.eq(ledger_transactions::id)))
        .filter(ledger_transactions::id.eq(transaction_id))
        .select((
            ledger_transactions::account_id,
            ledger_transactions::kind,
            ledger_transactions::wallet_change_minor,
            ledger_transactions::balance_after_minor,
            ledger_transactions::currency,
            ledger_transactions::order_id,
            ledger_transactions::created_at,
            orders::order_number.nullable(),
            wallet_adjustments::reason.nullable(),
        ))
        .first(conn)
        .optional()?;
    let row = row.filter(|row| account_id.is_none_or(|account_id| account_id == row.0) && row.1.has_receipt());
    let (account_id, kind, change, after, currency, order_id, created_at, order_number, reason) =
        row.ok_or_else(|| AppError::code(Code::NotFound))?;
    let payment_method = match order_id {
        Some(order_id) => payments::table
            .filter(payments::order_id.eq(order_id))
            .filter(payments::state.eq(PaymentState::Succeeded))
            .order(payments::id.desc())
            .select(payments::payment_method)
            .first(conn)
            .optional()?,
        None => None,
    };
    Ok(Receipt {
        number: receipt_number(transaction_id),
        parties: customer(conn, account_id, None)?.parties,
        kind,
        change: Money::from_minor(change),
        balance_after: Money::from_minor(after),
        currency,
        order_number,
        payment_method,
        reason,
        created_at: to_wire(created_at),
    })
}

impl Receipt {
    fn facts(&self, sheet: &Sheet) -> Vec<(String, String)> {
        let method = self.payment_method.map(|method| sheet.text(&format!("method.{}", method.as_str())));
        let facts = [
            ("pdf.number", Some(self.number.clone())),
            ("receipt.at", Some(utc(&self.created_at))),
            ("pdf.order", self.order_number.clone()),
            ("pdf.paidBy", method),
            ("pdf.reason", self.reason.clone()),
        ];
        facts.into_iter().filter_map(|(key, value)| Some((sheet.text(key), value?))).collect()
    }

    /// The file, with the seller and the customer as they are now.
    pub fn print(
        &self,
        texts: &Texts,
        language: Language,
        logo: Option<&Logo>,
        fonts: &Fonts,
    ) -> anyhow::Result<Vec<u8>> {
        let Parties { seller, buyer } = &self.parties;
        let shown = |amount: Money| amount.display(self.currency);
        let mut sheet = Sheet::new(texts, language, fonts)?;
        let title = sheet.text("receipt.title");
        sheet.logo(logo);
        let facts = self.facts(&sheet);
        sheet.head(&title, &self.number, (seller, buyer), facts);
        let kind = sheet.text(&format!("receipt.kind.{}", self.kind.as_str()));
        sheet.sum(&kind, &shown(self.change), TOTAL);
        sheet.layout.rule(SUMS, sheet.y - 8.0, RIGHT - SUMS, 0.8);
        sheet.y += 8.0;
        let before = Money::from_minor(self.balance_after.minor() - self.change.minor());
        for (key, amount, style) in [("receipt.before", before, TEXT), ("receipt.after", self.balance_after, STRONG)] {
            let label = sheet.text(key);
            sheet.sum(&label, &shown(amount), style);
        }
        sheet.y += 14.0;
        let note = sheet.text_with("receipt.note", json!({ "Currency": self.currency }));
        sheet.column(MARGIN, sheet.y, RIGHT - MARGIN, &note, SOFT);
        sheet.print(&title, &self.number, &seller.name, &self.created_at)
    }
}
