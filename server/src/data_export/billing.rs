//! What an account pays: wallet, orders, invoices, cards and automatic payments.
use crate::data_export::rows::*;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{
    auto_top_ups, card_requests, invoices, ledger_transactions, order_lines, orders, payments, refunds,
    remembered_cards, traffic_reorders, wallet_adjustments, wallets,
};
use chrono::NaiveDateTime;
use postern_core::invoice::InvoiceKind;
use postern_core::ledger::{Adjustment, EntryKind};
use postern_core::money::Currency;
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState};

pub const SECTIONS: &[Section] = &[
    section("Wallet", &["wallets"], wallet),
    section("Transactions", &["ledger_transactions"], transactions),
    section("WalletAdjustments", &["wallet_adjustments"], adjustments),
    section("Orders", &["orders", "order_lines", "payments", "refunds"], of_orders),
    section("Invoices", &["invoices"], of_invoices),
    section("Cards", &["remembered_cards"], cards),
    section("CardRequests", &["card_requests"], requests),
    section("AutoTopUp", &["auto_top_ups"], auto_top_up),
    section("Reorder", &["traffic_reorders"], reorder),
];

section_of_one!(wallet, wallets by account_id, {
    currency: Currency => plain as "Currency",
    balance_minor: i64 => money as "Balance",
    total_expenses_minor: i64 => money as "TotalExpenses",
    owed_minor: i64 => money as "Owed",
    low_balance_minor: Option<i64> => maybe_money as "LowBalanceAlert",
});

section_of!(transactions, ledger_transactions, {
    kind: EntryKind => plain as "Kind",
    order_id: Option<i64> => plain as "OrderId",
    wallet_change_minor: i64 => money as "WalletChange",
    balance_after_minor: i64 => money as "BalanceAfter",
    currency: Currency => plain as "Currency",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(adjustments, wallet_adjustments, {
    adjustment: Adjustment => plain as "Adjustment",
    reason: String => plain as "Reason",
});

/// Orders with their lines, payments and refunds.
fn of_orders(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = orders::table.filter(orders::account_id.eq(account_id)).filter(orders::id.gt(after));
    let own = own.order(orders::id).limit(CHUNK as i64);
    let mut rows = objects!(conn, own, orders, {
        id: i64 => plain as "Id",
        order_number: String => plain as "OrderNumber",
        kind: OrderKind => plain as "Kind",
        state: OrderState => plain as "State",
        currency: Currency => plain as "Currency",
        ver_str: Option<String> => plain as "VerStr",
        period_days: Option<i32> => plain as "PeriodDays",
        subtotal_minor: i64 => money as "Subtotal",
        discount_minor: i64 => money as "Discount",
        total_minor: i64 => money as "Total",
        refunded_minor: i64 => money as "Refunded",
        coupon: Option<String> => plain as "Coupon",
        created_at: NaiveDateTime => time as "CreatedAt",
        paid_at: Option<NaiveDateTime> => maybe_time as "PaidAt",
        ended_at: Option<NaiveDateTime> => maybe_time as "EndedAt",
        group_id: Option<i64> => plain as "GroupId",
        auto_renew: Option<bool> => plain as "AutoRenew",
    });
    let ids = ids(&rows);
    let lines = objects!(conn, order_lines::table.filter(order_lines::order_id.eq_any(&ids)), order_lines, {
        order_id: i64 => plain as "OrderId",
        ver_str: String => plain as "VerStr",
        country: Option<String> => plain as "Country",
        city: Option<String> => plain as "City",
        quantity: i32 => plain as "Quantity",
        unit_price_minor: i64 => money as "UnitPrice",
        amount_minor: i64 => money as "Amount",
    });
    let attempts = objects!(conn, payments::table.filter(payments::order_id.eq_any(&ids)), payments, {
        order_id: i64 => plain as "OrderId",
        payment_method: PaymentMethod => plain as "PaymentMethod",
        state: PaymentState => plain as "State",
        amount_minor: i64 => money as "Amount",
        charged_minor: Option<i64> => maybe_money as "ChargedAmount",
        charged_currency: Option<Currency> => plain as "ChargedCurrency",
        created_at: NaiveDateTime => time as "CreatedAt",
        settled_at: Option<NaiveDateTime> => maybe_time as "SettledAt",
    });
    let given_back = objects!(conn, refunds::table.filter(refunds::order_id.eq_any(&ids)), refunds, {
        order_id: i64 => plain as "OrderId",
        amount_minor: i64 => money as "Amount",
        reason: String => plain as "Reason",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    for (name, of_orders) in [("Lines", lines), ("Payments", attempts), ("Refunds", given_back)] {
        attach(&mut rows, "OrderId", name, of_orders);
    }
    Ok(Part::of(rows))
}

section_of!(of_invoices, invoices, {
    kind: InvoiceKind => plain as "Kind",
    invoice_number: String => plain as "InvoiceNumber",
    order_id: i64 => plain as "OrderId",
    currency: Currency => plain as "Currency",
    total_minor: i64 => money as "Total",
    snapshot: String => inner as "Document",
    issued_at: NaiveDateTime => time as "IssuedAt",
});

fn cards(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    // Only the current card: forgotten ones are about to be deleted.
    let own = remembered_cards::table.filter(remembered_cards::account_id.eq(account_id));
    let own = own.filter(remembered_cards::forgotten_at.is_null());
    Ok(Part::whole(objects!(conn, own, remembered_cards, {
        payment_method: PaymentMethod => plain as "PaymentMethod",
        brand: String => plain as "Brand",
        last_four: String => plain as "LastFour",
        expires_month: i32 => plain as "ExpiresMonth",
        expires_year: i32 => plain as "ExpiresYear",
        created_at: NaiveDateTime => time as "CreatedAt",
    })))
}

section_of_one!(auto_top_up, auto_top_ups by account_id, {
    is_on: bool => plain as "IsOn",
    threshold_minor: i64 => money as "Threshold",
    amount_minor: i64 => money as "Amount",
    monthly_limit_minor: i64 => money as "MonthlyLimit",
    agreed_at: NaiveDateTime => time as "AgreedAt",
});

section_of_one!(reorder, traffic_reorders by account_id, {
    is_on: bool => plain as "IsOn",
    threshold_bytes: i64 => plain as "ThresholdBytes",
    gigabytes: i32 => plain as "Gigabytes",
    period_days: i32 => plain as "PeriodDays",
    monthly_limit_minor: i64 => money as "MonthlyLimit",
    agreed_at: NaiveDateTime => time as "AgreedAt",
});

section_of!(requests, card_requests, {
    payment_method: PaymentMethod => plain as "PaymentMethod",
    state: PaymentState => plain as "State",
    created_at: NaiveDateTime => time as "CreatedAt",
});
