//! What an account exchanges with others: messages to support, webhooks, and referrals with their commissions.
use crate::data_export::rows::*;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{
    commission_losses, commission_moves, commission_take_backs, commissions, referrals, referrers, support_attachments,
    support_conversations, support_messages, webhook_attempts, webhook_deliveries, webhooks,
};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::money::Currency;
use postern_core::referral::{CommissionState, ReferralReview};
use postern_core::support::attachment::AttachmentKind;
use postern_core::support::{ConversationState, MessageKind, Side};
use postern_core::webhook_delivery::{DeliveryProblem, DeliveryState, WebhookState};

pub const SECTIONS: &[Section] = &[
    section("Conversation", &["support_conversations"], conversation),
    section("Messages", &["support_messages"], messages),
    section("Attachments", &["support_attachments"], attachments),
    section("UnsentAttachments", &["support_attachments"], unsent_attachments),
    section("Webhooks", &["webhooks"], of_webhooks),
    section("WebhookDeliveries", &["webhook_deliveries", "webhook_attempts"], deliveries),
    section("Referral", &["referrals"], referral),
    section("ReferredAccounts", &["referrals"], referred),
    section("Commissions", &["commissions", "commission_take_backs", "commission_losses"], of_commissions),
    section("CommissionMoves", &["commission_moves"], moves),
    section("CommissionsOwed", &["referrers"], owed),
];

section_of!(conversation, support_conversations, {
    state: ConversationState => plain as "State",
    created_at: NaiveDateTime => time as "CreatedAt",
    last_message_at: NaiveDateTime => time as "LastMessageAt",
});

/// Of the only conversation that an account has; 0 if it has none.
fn conversation_id(conn: &mut Conn, account_id: i64) -> Result<i64, AppError> {
    let own = support_conversations::table.filter(support_conversations::account_id.eq(account_id));
    Ok(own.select(support_conversations::id).first(conn).optional()?.unwrap_or_default())
}

/// Messages of both sides, without the names of operators.
fn messages(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let conversation = conversation_id(conn, account_id)?;
    let own = support_messages::table.filter(support_messages::conversation_id.eq(conversation));
    let own = own.filter(support_messages::id.gt(after)).order(support_messages::id).limit(CHUNK as i64);
    Ok(Part::of(objects!(conn, own, support_messages, {
        id: i64 => plain as "Id",
        kind: MessageKind => plain as "Kind",
        side: Side => plain as "Side",
        text: String => plain as "Text",
        created_at: NaiveDateTime => time as "CreatedAt",
    })))
}

/// The files of messages with their content, in the order of the messages: one at a time, because each may have megabytes.
fn attachments(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let last = support_attachments::table.find(after).select(support_attachments::message_id);
    let message: i64 = last.first::<Option<i64>>(conn).optional()?.flatten().unwrap_or_default();
    let same = support_attachments::table.filter(support_attachments::message_id.eq(message));
    let same = same.filter(support_attachments::id.gt(after)).select(diesel::dsl::min(support_attachments::id));
    let mut next: Option<i64> = same.first(conn)?;
    if next.is_none() {
        let is_of_message = support_attachments::message_id.eq(support_messages::id.nullable());
        let later = support_messages::table.inner_join(support_attachments::table.on(is_of_message));
        let later = later.filter(support_messages::conversation_id.eq(conversation_id(conn, account_id)?));
        let later = later.filter(support_messages::id.gt(message)).select(support_attachments::id);
        next = later.order((support_messages::id, support_attachments::id)).first(conn).optional()?;
    }
    file(conn, next)
}

/// Files that were not sent yet.
fn unsent_attachments(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let users = user_ids(conn, account_id)?;
    let unsent = support_attachments::table.filter(support_attachments::user_id.eq_any(users));
    let unsent = unsent.filter(support_attachments::message_id.is_null()).filter(support_attachments::id.gt(after));
    let next = unsent.select(diesel::dsl::min(support_attachments::id)).first(conn)?;
    file(conn, next)
}

fn file(conn: &mut Conn, id: Option<i64>) -> Result<Part, AppError> {
    let file = support_attachments::table.filter(support_attachments::id.eq(id.unwrap_or_default()));
    let rows = objects!(conn, file, support_attachments, {
        id: i64 => plain as "Id",
        message_id: Option<i64> => plain as "MessageId",
        name: String => plain as "Name",
        kind: AttachmentKind => plain as "Kind",
        size_bytes: i64 => plain as "SizeBytes",
        created_at: NaiveDateTime => time as "CreatedAt",
        content: Vec<u8> => bytes as "Content",
    });
    Ok(Part { rows, next: id })
}

section_of!(of_webhooks, webhooks, {
    url: String => plain as "Url",
    description: String => plain as "Description",
    events: Option<String> => maybe_inner as "Events",
    state: WebhookState => plain as "State",
    created_at: NaiveDateTime => time as "CreatedAt",
    deleted_at: Option<NaiveDateTime> => maybe_time as "DeletedAt",
});

fn deliveries(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = webhook_deliveries::table.filter(webhook_deliveries::account_id.eq(account_id));
    let own = own.filter(webhook_deliveries::id.gt(after)).order(webhook_deliveries::id).limit(CHUNK as i64);
    let mut rows = objects!(conn, own, webhook_deliveries, {
        id: i64 => plain as "Id",
        webhook_id: i64 => plain as "WebhookId",
        kind: EventKind => plain as "Kind",
        state: DeliveryState => plain as "State",
        body: String => inner as "Body",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    let made = webhook_attempts::table.filter(webhook_attempts::delivery_id.eq_any(ids(&rows)));
    let made = objects!(conn, made.order(webhook_attempts::id), webhook_attempts, {
        delivery_id: i64 => plain as "DeliveryId",
        attempted_at: NaiveDateTime => time as "At",
        duration_ms: i32 => plain as "DurationMs",
        status: Option<i32> => plain as "Status",
        problem: Option<DeliveryProblem> => plain as "Problem",
    });
    attach(&mut rows, "DeliveryId", "Attempts", made);
    Ok(Part::of(rows))
}

// The doubts and notes of a review are the operators'; the other account is another person.
section_of_one!(referral, referrals by account_id, {
    review: ReferralReview => plain as "Review",
    created_at: NaiveDateTime => time as "CreatedAt",
});

/// Accounts that signed up with this one's invitation code, without saying who they are.
fn referred(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = referrals::table.filter(referrals::referrer_id.eq(account_id)).filter(referrals::account_id.gt(after));
    let own = own.order(referrals::account_id).limit(CHUNK as i64);
    let last: Option<i64> = own.select(referrals::account_id).load::<i64>(conn)?.last().copied();
    let rows = objects!(conn, own, referrals, {
        review: ReferralReview => plain as "Review",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    let next = last.filter(|_| rows.len() == CHUNK);
    Ok(Part { rows, next })
}

fn of_commissions(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = commissions::table.filter(commissions::referrer_id.eq(account_id)).filter(commissions::id.gt(after));
    let mut rows = objects!(conn, own.order(commissions::id).limit(CHUNK as i64), commissions, {
        id: i64 => plain as "Id",
        rate_basis_points: i32 => plain as "RateBasisPoints",
        earned_minor: i64 => money as "Earned",
        amount_minor: i64 => money as "Amount",
        currency: Currency => plain as "Currency",
        state: CommissionState => plain as "State",
        available_at: NaiveDateTime => time as "AvailableAt",
        moved_minor: Option<i64> => maybe_money as "Moved",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    let ids = ids(&rows);
    let lost = commission_losses::table.filter(commission_losses::commission_id.eq_any(&ids));
    let lost = objects!(conn, lost.order((commission_losses::commission_id, commission_losses::return_id)), commission_losses, {
        commission_id: i64 => plain as "CommissionId",
        from_commission_minor: i64 => money as "FromCommission",
        from_wallet_minor: i64 => money as "FromWallet",
        owed_minor: i64 => money as "Owed",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    attach(&mut rows, "CommissionId", "Lost", lost);
    let taken = commission_take_backs::table.filter(commission_take_backs::commission_id.eq_any(&ids));
    let taken = objects!(conn, taken.order(commission_take_backs::id), commission_take_backs, {
        commission_id: i64 => plain as "CommissionId",
        from_commission_minor: i64 => money as "FromCommission",
        from_wallet_minor: i64 => money as "FromWallet",
        owed_minor: i64 => money as "Owed",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    attach(&mut rows, "CommissionId", "TakenBack", taken);
    Ok(Part::of(rows))
}

section_of!(moves, commission_moves, {
    amount_minor: i64 => money as "Amount",
    owed_minor: i64 => money as "Owed",
    currency: Currency => plain as "Currency",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of_one!(owed, referrers by account_id, {
    owed_minor: i64 => money as "Owed",
});
