//! All sections of the export, in the order of the file, and the tables that are not in it.
use crate::data_export::rows::Section;
use crate::data_export::{account, billing, contact, proxies};

/// The section at this place.
pub fn section_at(index: usize) -> Option<&'static Section> {
    all().nth(index)
}

fn all() -> impl Iterator<Item = &'static Section> {
    [account::SECTIONS, billing::SECTIONS, proxies::SECTIONS, contact::SECTIONS].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::tables;
    use std::collections::{BTreeMap, BTreeSet};

    const SHOP: &str = "the shop's own: no row belongs to an account";
    const PASSING: &str = "kept for hours or days until a job has worked on it";

    /// Tables that are not exported, with the reason.
    const LEFT_OUT: &[(&str, &str)] = &[
        ("alarms", SHOP),
        ("announcements", SHOP),
        ("backups", SHOP),
        ("coupons", SHOP),
        ("daily_jobs", SHOP),
        ("demo_data", SHOP),
        ("exchange_rates", SHOP),
        ("forged_callbacks", SHOP),
        ("hold_steps", SHOP),
        ("invoice_counters", SHOP),
        ("job_runs", SHOP),
        ("legal_texts", SHOP),
        ("limits", SHOP),
        ("node_targets", SHOP),
        ("periods", SHOP),
        ("planned_prices", SHOP),
        ("proxy_server_outages", SHOP),
        ("proxy_server_watch", SHOP),
        ("proxy_servers", SHOP),
        ("quantity_steps", SHOP),
        ("referral_rules", SHOP),
        ("rejected_usage", SHOP),
        ("sandbox_cards", SHOP),
        ("sandbox_charges", SHOP),
        ("sandbox_returns", SHOP),
        ("secret_checks", SHOP),
        ("sellers", SHOP),
        ("shop_days", SHOP),
        ("shop_sales", SHOP),
        ("shop_settings", SHOP),
        ("stock", SHOP),
        ("support_canned_answers", SHOP),
        ("targets", SHOP),
        ("tiers", SHOP),
        ("traffic_steps", SHOP),
        ("usage_reports", SHOP),
        ("write_probes", SHOP),
        ("failed_sign_ins", PASSING),
        ("idempotency_keys", PASSING),
        ("link_requests", PASSING),
        ("password_resets", PASSING),
        ("sign_ups", PASSING),
        ("throttles", PASSING),
        ("mails", "the user has received them"),
        ("gateway_callbacks", "messages between gateway and shop; payments have their results"),
        ("payment_arrivals", "the transactions have them"),
        ("payment_returns", "the transactions have them"),
        ("source_refunds", "the transactions have them"),
        ("payment_cases", "what operators look at; payments and transactions have the results"),
        ("ledger_entries", "the other side of the transactions"),
        ("list_totals", "numbers of rows"),
        ("shop_customers", "whether the account had something in use when it was counted last"),
        ("node_search", "words of the proxies"),
        ("order_nodes", "listed on the invoices"),
        ("refund_nodes", "listed on the credit notes"),
        ("recovery_codes", "hashes; the security log has their use"),
        ("usage_hours", "sums of the days"),
        ("usage_months", "sums of the days"),
        ("usage_records", "`Usage/ExportUsage`"),
    ];

    #[test]
    fn every_table_is_exported_or_left_out_with_a_reason() {
        let exported: BTreeSet<&str> = all().flat_map(|section| section.tables).copied().collect();
        let left_out: BTreeMap<&str, &str> = LEFT_OUT.iter().copied().collect();
        assert_eq!(left_out.len(), LEFT_OUT.len(), "each stands once");
        for table in left_out.keys() {
            assert!(!exported.contains(table), "{table} is exported");
        }
        let known: BTreeSet<&str> = exported.iter().chain(left_out.keys()).copied().collect();
        let present: BTreeSet<&str> = tables().iter().map(|(table, _)| *table).collect();
        assert_eq!(known, present);
    }

    #[test]
    fn no_table_with_rows_of_accounts_passes_as_the_shops_own() {
        let owners = ["account_id", "user_id", "referrer_id"];
        // The operator who wrote a text, added a rule or planned a price.
        let by_operators = ["announcements", "legal_texts", "planned_prices", "referral_rules"];
        for (table, columns) in tables() {
            let belongs = columns.iter().any(|(column, _)| owners.contains(column)) && !by_operators.contains(&table);
            assert!(!(belongs && LEFT_OUT.contains(&(table, SHOP))), "{table}");
        }
    }

    #[test]
    fn section_names_are_distinct() {
        let names: BTreeSet<&str> = all().map(|section| section.name).collect();
        assert_eq!(names.len(), all().count());
    }
}
