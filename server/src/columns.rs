//! SQL types for the enum columns, one per column: only values of its enum can be written to or compared with a column, and an invalid stored value
//! is an error that names the column.
use crate::db::conn::MultiBackend;
use diesel::query_builder::QueryId;
use diesel::sql_types::{HasSqlType, SqlType};
use postern_core::account::{AccountState, EmailChangeState, LinkKind};
use postern_core::announcement::AnnouncementTone;
use postern_core::audit::{AuditAction, AuditChannel};
use postern_core::auto_top_up::CardFailure;
use postern_core::event::EventKind;
use postern_core::exchange::FeedProblem;
use postern_core::invoice::InvoiceKind;
use postern_core::job::JobName;
use postern_core::language::Language;
use postern_core::ledger::{Adjustment, AlarmKind, Book, EntryKind};
use postern_core::legal::LegalKind;
use postern_core::mail::{MailState, MailTemplate};
use postern_core::money::Currency;
use postern_core::node::{AccessMode, NodeState};
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState, Verdict};
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{ReturnKind, ReturnState};
use postern_core::permission::Level;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{LimitCycle, ProxyUserState};
use postern_core::referral::{CommissionState, ReferralReview};
use postern_core::reorder::ReorderFailure;
use postern_core::sandbox::{SandboxCard, SandboxOutcome};
use postern_core::security_log::SecurityKind;
use postern_core::server_health::OutageCause;
use postern_core::staff::StaffRole;
use postern_core::support::attachment::AttachmentKind;
use postern_core::support::{ConversationState, MessageKind, Side};
use postern_core::switch::SwitchMode;
use postern_core::unpaid::Limit;
use postern_core::usage::{UsageDimension, UsageRejection};
use postern_core::webhook_delivery::{DeliveryProblem, DeliveryState, WebhookState};
use postern_core::wire_enum::column::EnumColumn;

macro_rules! column {
    ($column:ident, $name:literal, $enum:ty, $($sql:tt)+) => {
        #[derive(Clone, Copy, Debug, Default, QueryId, SqlType)]
        #[diesel($($sql)+)]
        pub struct $column;

        impl EnumColumn<$enum> for $column {
            const NAME: &'static str = $name;
        }

        impl HasSqlType<$column> for MultiBackend {
            fn metadata(lookup: &mut Self::MetadataLookup) -> Self::TypeMetadata {
                MultiBackend::lookup_sql_type::<$column>(lookup)
            }
        }
    };
}

macro_rules! enum_columns {
    (texts: { $($text:ident = $name:literal: $enum:ty),+ $(,)? }, numbers: { $($number:ident = $of:literal: $level:ty),+ $(,)? }) => {
        // The OIDs of PostgreSQL's `text` and `int2`.
        $(column!($text, $name, $enum, postgres_type(oid = 25, array_oid = 1009), sqlite_type(name = "Text"));)+
        $(column!($number, $of, $level, postgres_type(oid = 21, array_oid = 1005), sqlite_type(name = "SmallInt"));)+

        /// Every column as `table.column`, with its reader and, for text columns, its valid values.
        #[cfg(test)]
        fn all() -> Vec<tests::Column> {
            vec![
                $(tests::column($name, |conn, value| tests::read::<$text, $enum>(conn, value), || {
                    <$enum>::ALL.iter().map(|value| format!("'{}'", value.as_str())).collect()
                }),)+
                $(tests::column($of, |conn, value| tests::read::<$number, $level>(conn, value), || {
                    (0..=2).map(|number: u8| number.to_string()).collect()
                }),)+
            ]
        }
    };
}

enum_columns! {
    texts: {
        AccountsState = "accounts.state": AccountState,
        AccountsStaffRole = "accounts.staff_role": StaffRole,
        AnnouncementsTone = "announcements.tone": AnnouncementTone,
        LegalTextsKind = "legal_texts.kind": LegalKind,
        WalletAdjustmentsAdjustment = "wallet_adjustments.adjustment": Adjustment,
        AuditEntriesAction = "audit_entries.action": AuditAction,
        AuditEntriesChannel = "audit_entries.channel": AuditChannel,
        AutoTopUpsFailure = "auto_top_ups.failure": CardFailure,
        EventsKind = "events.kind": EventKind,
        WebhooksState = "webhooks.state": WebhookState,
        WebhookDeliveriesKind = "webhook_deliveries.kind": EventKind,
        WebhookDeliveriesState = "webhook_deliveries.state": DeliveryState,
        WebhookDeliveriesLastProblem = "webhook_deliveries.last_problem": DeliveryProblem,
        WebhookAttemptsProblem = "webhook_attempts.problem": DeliveryProblem,
        UsersLanguage = "users.language": Language,
        SignUpsLanguage = "sign_ups.language": Language,
        LinkRequestsKind = "link_requests.kind": LinkKind,
        LinkRequestsLanguage = "link_requests.language": Language,
        MailsLanguage = "mails.language": Language,
        SecurityLogKind = "security_log.kind": SecurityKind,
        EmailChangesState = "email_changes.state": EmailChangeState,
        MailsTemplate = "mails.template": MailTemplate,
        MailsState = "mails.state": MailState,
        JobRunsJob = "job_runs.job": JobName,
        PlansAccessMode = "plans.access_mode": AccessMode,
        OrdersKind = "orders.kind": OrderKind,
        OrdersState = "orders.state": OrderState,
        OrdersCurrency = "orders.currency": Currency,
        NodesState = "nodes.state": NodeState,
        NodeSwitchesMode = "node_switches.mode": SwitchMode,
        NodeSwitchesCurrency = "node_switches.currency": Currency,
        PaymentsPaymentMethod = "payments.payment_method": PaymentMethod,
        PaymentsState = "payments.state": PaymentState,
        PaymentsCurrency = "payments.currency": Currency,
        PaymentsLanguage = "payments.language": Language,
        PaymentsChargedCurrency = "payments.charged_currency": Currency,
        PaymentCasesGateway = "payment_cases.gateway": PaymentMethod,
        PaymentCasesKind = "payment_cases.kind": PaymentCaseKind,
        PaymentCasesCurrency = "payment_cases.currency": Currency,
        PaymentCasesReportedCurrency = "payment_cases.reported_currency": Currency,
        PaymentReturnsKind = "payment_returns.kind": ReturnKind,
        PaymentReturnsState = "payment_returns.state": ReturnState,
        PaymentReturnsReportedCurrency = "payment_returns.reported_currency": Currency,
        ExchangeRatesCurrency = "exchange_rates.currency": Currency,
        ExchangeRatesProblem = "exchange_rates.problem": FeedProblem,
        RememberedCardsPaymentMethod = "remembered_cards.payment_method": PaymentMethod,
        CardRequestsPaymentMethod = "card_requests.payment_method": PaymentMethod,
        CardRequestsState = "card_requests.state": PaymentState,
        CardRequestsLanguage = "card_requests.language": Language,
        SandboxCardsBehaviour = "sandbox_cards.behaviour": SandboxCard,
        SandboxChargesCurrency = "sandbox_charges.currency": Currency,
        SandboxChargesOutcome = "sandbox_charges.outcome": SandboxOutcome,
        SandboxReturnsKind = "sandbox_returns.kind": ReturnKind,
        SandboxReturnsState = "sandbox_returns.state": ReturnState,
        GatewayCallbacksGateway = "gateway_callbacks.gateway": PaymentMethod,
        GatewayCallbacksVerdict = "gateway_callbacks.verdict": Verdict,
        ForgedCallbacksGateway = "forged_callbacks.gateway": PaymentMethod,
        LimitsLimitName = "limits.limit_name": Limit,
        WalletsCurrency = "wallets.currency": Currency,
        LedgerTransactionsKind = "ledger_transactions.kind": EntryKind,
        LedgerTransactionsCurrency = "ledger_transactions.currency": Currency,
        LedgerEntriesBook = "ledger_entries.book": Book,
        InvoicesKind = "invoices.kind": InvoiceKind,
        InvoicesCurrency = "invoices.currency": Currency,
        AlarmsAlarm = "alarms.alarm": AlarmKind,
        ProxyUsersState = "proxy_users.state": ProxyUserState,
        ProxyUsersLimitCycle = "proxy_users.limit_cycle": LimitCycle,
        ProxyServersKind = "proxy_servers.kind": ProxyServerKind,
        ProxyServerOutagesCause = "proxy_server_outages.cause": OutageCause,
        RejectedUsageReason = "rejected_usage.reason": UsageRejection,
        UsageHoursKind = "usage_hours.kind": ProxyServerKind,
        UsageHoursDimension = "usage_hours.dimension": UsageDimension,
        UsageDaysKind = "usage_days.kind": ProxyServerKind,
        UsageDaysDimension = "usage_days.dimension": UsageDimension,
        UsageMonthsKind = "usage_months.kind": ProxyServerKind,
        UsageMonthsDimension = "usage_months.dimension": UsageDimension,
        TrafficReordersFailure = "traffic_reorders.failure": ReorderFailure,
        ReferralsReview = "referrals.review": ReferralReview,
        CommissionsState = "commissions.state": CommissionState,
        CommissionsCurrency = "commissions.currency": Currency,
        CommissionMovesCurrency = "commission_moves.currency": Currency,
        NotificationChoicesKind = "notification_choices.kind": EventKind,
        MailsEventKind = "mails.event_kind": EventKind,
        SupportConversationsState = "support_conversations.state": ConversationState,
        SupportMessagesKind = "support_messages.kind": MessageKind,
        SupportMessagesSide = "support_messages.side": Side,
        SupportAttachmentsKind = "support_attachments.kind": AttachmentKind,
    },
    numbers: {
        AccountsLevel = "accounts.level": Level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Conn;
    use crate::db::prelude::*;
    use crate::error::AppError;
    use diesel::deserialize::FromSqlRow;
    use diesel::dsl::sql;
    use diesel::expression::TypedExpressionType;
    use diesel::sql_types::SingleValue;
    use diesel::sqlite::SqliteConnection;

    type Read = fn(&mut Conn, &str) -> QueryResult<()>;

    pub struct Column {
        name: &'static str,
        read: Read,
        values: Vec<String>,
    }

    pub fn column(name: &'static str, read: Read, values: fn() -> Vec<String>) -> Column {
        Column { name, read, values: values() }
    }

    /// Reads a value given as an SQL expression, with the type of the column.
    pub fn read<ST, E>(conn: &mut Conn, value: &str) -> QueryResult<()>
    where
        ST: SingleValue + TypedExpressionType + QueryId + 'static,
        MultiBackend: HasSqlType<ST>,
        E: FromSqlRow<ST, MultiBackend> + 'static,
    {
        diesel::select(sql::<ST>(value)).get_result::<E>(conn).map(drop)
    }

    #[test]
    fn an_invalid_enum_value_is_an_error_that_names_its_column() {
        let mut conn = Conn::Sqlite(SqliteConnection::establish(":memory:").expect("a database"));
        for Column { name, read, values } in all() {
            for value in &values {
                assert_eq!(read(&mut conn, value), Ok(()), "{name}: {value}");
            }
            let unknown = if values[0].starts_with('\'') { "'Nonsense'" } else { "9" };
            let error = AppError::from(read(&mut conn, unknown).expect_err(name)).to_string();
            assert!(error.contains(name) && error.contains(unknown.trim_matches('\'')), "{error}");
        }
    }
}
