//! The seller's figures: the ranges of charts and what they are compared with, what waits for a person, and the steps that open a shop. Days are UTC,
//! as on documents.
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Days, Months, NaiveDate};

wire_enum! {
    /// What the charts of the business show: whole days or months, and the present one as far as it has come.
    BusinessRange { Days30 = "days30", Days90 = "days90", Months12 = "months12" }
}

wire_enum! {
    /// What waits for an operator.
    OperatorTask {
        /// Bank transfers that have not been confirmed.
        Transfers = "transfers",
        /// Cases of payments that nobody has closed.
        PaymentCases = "payment_cases",
        /// Conversations whose last message is the customer's.
        Conversations = "conversations",
        ReferralReviews = "referral_reviews",
        Alarms = "alarms",
        /// Usage records that belong to no account.
        RejectedUsage = "rejected_usage",
        /// Planned changes of prices that could not be made.
        PriceChanges = "price_changes",
        /// Places that are sold out soon.
        Stock = "stock",
        /// Mails that were given up.
        FailedMails = "failed_mails",
        FailingJobs = "failing_jobs",
    }
}

wire_enum! {
    /// A step from an empty shop to its first sale, in the order in which one takes them.
    SetupStep {
        /// A mail server: without one nobody can sign up.
        Mail = "mail",
        /// The seller's address, for invoices.
        Seller = "seller",
        /// A way to pay that takes real money.
        Payment = "payment",
        Prices = "prices",
        /// Nodes for sale, or a residential proxy server.
        Inventory = "inventory",
        /// A proxy server that has been heard.
        ProxyServer = "proxy_server",
        /// The operator's own second factor.
        SecondFactor = "second_factor",
        /// A backup of the last days.
        Backup = "backup",
        /// The first order that a customer paid.
        Sale = "sale",
    }
}

/// A backup older than this is no protection.
pub const BACKUP_DAYS: i64 = 7;

/// Days from the first one up to the last one, which is not part of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DaySpan {
    pub from: NaiveDate,
    pub until: NaiveDate,
}

impl DaySpan {
    pub fn has(&self, day: NaiveDate) -> bool {
        self.from <= day && day < self.until
    }
}

/// The points of a chart, and what they are compared with. Whole points are compared with as many whole ones: a day that has just begun is shown,
/// and counts for nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BusinessSpans {
    /// Oldest first. The last one is not over.
    pub points: Vec<DaySpan>,
    /// All points but the last one.
    pub now: DaySpan,
    /// As long before.
    pub before: DaySpan,
}

impl BusinessRange {
    /// The points of this range on a day; `None` for days that no calendar has.
    pub fn spans(self, today: NaiveDate) -> Option<BusinessSpans> {
        let (count, start): (u32, _) = match self {
            BusinessRange::Days30 => (30, today),
            BusinessRange::Days90 => (90, today),
            BusinessRange::Months12 => (12, today.with_day(1)?),
        };
        // A point that is this many whole ones before the present one.
        let begin = |back: u32| match self {
            BusinessRange::Months12 => start.checked_sub_months(Months::new(back)),
            _ => start.checked_sub_days(Days::new(back.into())),
        };
        let end = match self {
            BusinessRange::Months12 => start.checked_add_months(Months::new(1))?,
            _ => start.checked_add_days(Days::new(1))?,
        };
        let mut points = Vec::new();
        for back in (0..=count).rev() {
            let until = if back == 0 { end } else { begin(back - 1)? };
            points.push(DaySpan { from: begin(back)?, until });
        }
        let now = DaySpan { from: begin(count)?, until: start };
        Some(BusinessSpans { points, now, before: DaySpan { from: begin(2 * count)?, until: now.from } })
    }
}

/// How much more something is than before, in hundredths of a percent; `None` if there was nothing to compare it with.
pub fn change_basis_points(now: i64, before: i64) -> Option<i64> {
    if before <= 0 {
        return None;
    }
    let change = (i128::from(now) - i128::from(before)) * 10_000 / i128::from(before);
    i64::try_from(change).ok()
}

/// The share of customers who left, in hundredths of a percent of those that there were; `None` if there were none.
pub fn churn_basis_points(left: i64, customers: i64) -> Option<i64> {
    (customers > 0).then(|| i64::try_from(i128::from(left) * 10_000 / i128::from(customers)).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn span(from: &str, until: &str) -> DaySpan {
        DaySpan { from: day(from), until: day(until) }
    }

    #[test]
    fn thirty_whole_days_and_today_are_compared_with_thirty_days_before() {
        let spans = BusinessRange::Days30.spans(day("2026-03-01")).expect("a day");
        assert_eq!(spans.points.len(), 31);
        assert_eq!(spans.points[30], span("2026-03-01", "2026-03-02"));
        assert_eq!(spans.points[0], span("2026-01-30", "2026-01-31"));
        assert_eq!(spans.now, span("2026-01-30", "2026-03-01"));
        assert_eq!(spans.before, span("2025-12-31", "2026-01-30"));
        assert_eq!(BusinessRange::Days90.spans(day("2026-03-01")).expect("a day").points.len(), 91);
    }

    #[test]
    fn twelve_whole_months_and_this_one_are_compared_with_the_year_before() {
        let spans = BusinessRange::Months12.spans(day("2024-02-29")).expect("a day");
        assert_eq!(spans.points.len(), 13);
        assert_eq!(spans.points[12], span("2024-02-01", "2024-03-01"));
        assert_eq!(spans.points[11], span("2024-01-01", "2024-02-01"));
        assert_eq!(spans.now, span("2023-02-01", "2024-02-01"));
        assert_eq!(spans.before, span("2022-02-01", "2023-02-01"));
        for pair in spans.points.windows(2) {
            assert_eq!(pair[0].until, pair[1].from, "no day is missing");
        }
    }

    #[test]
    fn days_at_the_end_of_the_calendar_have_no_chart() {
        for range in BusinessRange::ALL {
            assert_eq!(range.spans(NaiveDate::MIN), None);
            assert_eq!(range.spans(NaiveDate::MAX), None);
        }
    }

    #[test]
    fn a_change_is_a_share_of_what_was() {
        for (now, before, change) in [
            (150, 100, Some(5_000)),
            (100, 100, Some(0)),
            (0, 100, Some(-10_000)),
            (5, 0, None),
            (5, -3, None),
            (-50, 100, Some(-15_000)),
            (i64::MAX, 1, None),
        ] {
            assert_eq!(change_basis_points(now, before), change, "{now} after {before}");
        }
        assert_eq!(churn_basis_points(3, 200), Some(150));
        assert_eq!(churn_basis_points(3, 0), None);
    }
}
