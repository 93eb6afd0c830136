//! Background jobs, as operators see them.
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};

wire_enum! {
    /// A background job. Its text is in `locales/{language}/system.json`.
    JobName {
        ExpireOrders = "expire_orders",
        PollGateways = "poll_gateways",
        FetchExchangeRates = "fetch_exchange_rates",
        CompareWithGateways = "compare_with_gateways",
        SendRefunds = "send_refunds",
        EndUnpaidProxies = "end_unpaid_proxies",
        PollCardRequests = "poll_card_requests",
        DeleteForgottenCards = "delete_forgotten_cards",
        ProcessCallbacks = "process_callbacks",
        RenewNodes = "renew_nodes",
        CheckBalances = "check_balances",
        RemindOwners = "remind_owners",
        ReorderTraffic = "reorder_traffic",
        RemindOwnersOfTraffic = "remind_owners_of_traffic",
        MakePlannedPriceChanges = "make_planned_price_changes",
        MatureCommissions = "mature_commissions",
        ChangeNodeStates = "change_node_states",
        AggregateUsage = "aggregate_usage",
        ChangeProxyUserStates = "change_proxy_user_states",
        DeleteOldProxyUsers = "delete_old_proxy_users",
        RefreshAccess = "refresh_access",
        RefreshSupportStreams = "refresh_support_streams",
        MailUnreadMessages = "mail_unread_messages",
        DeleteOldUsage = "delete_old_usage",
        CompactStockCounts = "compact_stock_counts",
        CompactTotals = "compact_totals",
        DispatchEvents = "dispatch_events",
        DeliverEvents = "deliver_events",
        DeleteOldDeliveries = "delete_old_deliveries",
        AnswerLinkRequests = "answer_link_requests",
        LogFailedSignIns = "log_failed_sign_ins",
        SendMails = "send_mails",
        CheckTheBooks = "check_the_books",
        CloseUnusedConnections = "close_unused_connections",
        WatchProxyServers = "watch_proxy_servers",
        Upkeep = "upkeep",
        CountDays = "count_days",
    }
}

wire_enum! {
    /// How a background job is.
    JobState {
        Running = "running",
        /// Its last run failed; it is tried again after its interval.
        Failing = "failing",
        /// It has not run for much longer than its interval: no server of the shop is running, or a run does not end.
        Late = "late",
    }
}

/// What a job is allowed beyond its interval: its own time, that of jobs before it, and the notes about it, which are made now and then.
const LATE_MINUTES: i64 = 10;

/// The state of a job that began its last run then, and whether that one failed.
pub fn job_state(began_at: NaiveDateTime, pause_seconds: i32, has_failed: bool, now: NaiveDateTime) -> JobState {
    let expected = TimeDelta::seconds(pause_seconds.into()) + TimeDelta::minutes(LATE_MINUTES);
    if now.signed_duration_since(began_at) > expected {
        return JobState::Late;
    }
    if has_failed { JobState::Failing } else { JobState::Running }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_late_ten_minutes_after_its_interval() {
        let began_at = NaiveDateTime::default();
        let at = |seconds| began_at + TimeDelta::seconds(seconds);
        assert_eq!(job_state(began_at, 20, false, at(620)), JobState::Running);
        assert_eq!(job_state(began_at, 20, true, at(620)), JobState::Failing);
        assert_eq!(job_state(began_at, 20, true, at(621)), JobState::Late);
        assert_eq!(job_state(at(5), 20, false, began_at), JobState::Running, "another server's clock is ahead");
    }
}
