//! Prints what the front end needs before the wasm package is loaded, as TypeScript modules: the constants or, with the argument `sidebar`,
//! the sidebar of each level.
use postern_core::account::VIEW_MINUTES;
use postern_core::announcement::{ANNOUNCEMENT_MAX_LENGTH, AnnouncementState, AnnouncementTone};
use postern_core::api_key::{MAX_API_KEYS, MAX_KEY_ADDRESSES};
use postern_core::audit::{AuditAction, AuditChannel};
use postern_core::avatar::{AVATAR_MAX_BYTES, AVATAR_MAX_SIDE};
use postern_core::bounds::{MAX_SORT_FIELDS, max_characters};
use postern_core::business::{BACKUP_DAYS, BusinessRange, OperatorTask, SetupStep};
use postern_core::constants::*;
use postern_core::coupon::CouponState;
use postern_core::endpoint::PRESET_NAME_MAX_LENGTH;
use postern_core::exchange::FeedProblem;
use postern_core::inventory::{FILE, SALES_DAYS, SHORT_STOCK_DAYS, UPLOAD_MAX_BYTES};
use postern_core::invoice::InvoiceKind;
use postern_core::job::{JobName, JobState};
use postern_core::language::Language;
use postern_core::ledger::{Adjustment, EntryKind};
use postern_core::legal::{LEGAL_TEXT_MAX_LENGTH, LegalKind};
use postern_core::list::COUNTED_ROWS;
use postern_core::mail::{KEEP_DAYS, MAX_RESENT, MailState, MailTemplate};
use postern_core::node::{AccessMode, FILTER_MAX_IPS, KEEP_OLD_HOURS, NodeState};
use postern_core::node_search::{SEARCH_PAIR_LENGTH, SEARCH_PART_LENGTH};
use postern_core::operator_forms::NOTE_MAX_LENGTH;
use postern_core::order::{HOLD_MINUTES, OrderKind, OrderState, PaymentMethod, PaymentState, Verdict};
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{RefundProgress, ReturnKind, ReturnState};
use postern_core::permission::Level;
use postern_core::place::{Region, UNINHABITED};
use postern_core::price_forms::PriceAction;
use postern_core::product_summary::{AutoRenewal, ProductState};
use postern_core::profile::PASSWORD_MIN_LENGTH;
use postern_core::proxy_server::{MAX_COUNTED_NODES, ProxyServerKind, SERVER_NAME_MAX_LENGTH};
use postern_core::proxy_user_form::OLD_VALID_MINUTES;
use postern_core::refund::is_refundable;
use postern_core::renewal::ATTEMPT_MINUTES_BEFORE;
use postern_core::reseller::MAX_DISCOUNT_BASIS_POINTS;
use postern_core::screens::{
    EntryAction, HOME_PATH, OPERATOR_PATH, ORDER_PATH, SidebarEntry, screens, sidebar_for, sidebar_while_suspended,
    start_path,
};
use postern_core::security_log::SecurityKind;
use postern_core::staff::StaffRole;
use postern_core::support;
use postern_core::support::MESSAGE_MAX_LENGTH;
use postern_core::switch::SwitchMode;
use postern_core::tier::{DEDICATED_NODE_TYPE, PRICE_PERIOD_DAYS};
use postern_core::traffic::TRAFFIC_PRODUCT;
use postern_core::unpaid::Limit;
use postern_core::usage::{
    LATE_DAYS, MAX_RECORD_BYTES, MAX_RECORDS, RECORD_ID_MAX_LENGTH, UNKNOWN_COUNTRY, UsageRejection,
};
use postern_core::wallet_forms::COUPON_CODE_LENGTH;
use postern_core::webhook::MAX_WEBHOOKS;
use postern_core::webhook_delivery::{self, DeliveryState};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("sidebar") => write_sidebars(),
        _ => write_constants(),
    }
}

fn write_constants() {
    let text = |name: &str, value: &str| println!("export const {name} = '{value}';");
    let number = |name: &str, value: i64| println!("export const {name} = {value};");
    println!("// Generated from core by `make gen`: change core/src/constants.rs instead.");
    text("API_BASE", API_BASE);
    text("LANGUAGE_KEY", LANGUAGE_KEY);
    text("DEFAULT_LANGUAGE", Language::En.as_str());
    println!("export const LANGUAGES = [{}] as const;", quoted(Language::ALL.iter().map(|language| language.as_str())));
    println!("export type Language = (typeof LANGUAGES)[number];");
    let family_name_first = Language::ALL.iter().filter(|language| language.family_name_first());
    println!(
        "export const FAMILY_NAME_FIRST: readonly Language[] = [{}];",
        quoted(family_name_first.map(|language| language.as_str()))
    );
    let pairs = |of: fn(Language) -> &'static str| {
        let pairs: Vec<_> =
            Language::ALL.iter().map(|language| format!("{}: '{}'", language.as_str(), of(*language))).collect();
        pairs.join(", ")
    };
    println!("export const ACCEPT_LANGUAGE: Record<Language, string> = {{ {} }};", pairs(Language::accept_language));
    println!("export const DATE_LOCALE: Record<Language, string> = {{ {} }};", pairs(Language::date_locale));
    text("INVITE_CODE_KEY", INVITE_CODE_KEY);
    text("UNKNOWN_COUNTRY", UNKNOWN_COUNTRY);
    text("INVITE_CODE_PARAMETER", INVITE_CODE_PARAMETER);
    println!("export const MARKETING_KEYS = [{}] as const;", quoted(MARKETING_KEYS.into_iter()));
    text("REDIRECT_KEY", REDIRECT_KEY);
    text("USER_STORE_KEY", USER_STORE_KEY);
    text("SESSION_STORE_KEY", SESSION_STORE_KEY);
    text("DEVICE_KEY", DEVICE_KEY);
    text("THEME_KEY", THEME_KEY);
    text("SIDEBAR_KEY", SIDEBAR_KEY);
    text("COLUMNS_KEY_PREFIX", COLUMNS_KEY_PREFIX);
    number("MOBILE_MAX_WIDTH", MOBILE_MAX_WIDTH.into());
    number("SIDEBAR_OPEN_MIN_WIDTH", SIDEBAR_OPEN_MIN_WIDTH.into());
    number("TOAST_LIMIT", TOAST_LIMIT.into());
    number("TOAST_MS", TOAST_MS.into());
    number("BRIEF_TOAST_MS", BRIEF_TOAST_MS.into());
    number("LOCALE_PARALLEL_READS", LOCALE_PARALLEL_READS.into());
    number("LOCALE_RETRIES", LOCALE_RETRIES.into());
    number("LOCALE_RETRY_MS", LOCALE_RETRY_MS.into());
    number("FIRST_YEAR", FIRST_YEAR.into());
    number("LAST_YEAR", LAST_YEAR.into());
    number("DEFAULT_PAGE_SIZE", DEFAULT_PAGE_SIZE.into());
    number("ENDS_SOON_DAYS", ENDS_SOON_DAYS.into());
    number("PROXY_USER_SHOWN_DAYS", PROXY_USER_SHOWN_DAYS.into());
    number("SHOWN_BATCHES", SHOWN_BATCHES.into());
    number("NEARLY_USED_PERCENT", NEARLY_USED_PERCENT.into());
    number("MAX_USAGE_RECORDS", MAX_RECORDS as i64);
    number("MAX_RECORD_BYTES", MAX_RECORD_BYTES as i64);
    number("RECORD_ID_MAX_LENGTH", RECORD_ID_MAX_LENGTH as i64);
    number("RECORD_LATE_DAYS", LATE_DAYS);
    println!("export const MAX_SORT_FIELDS = {MAX_SORT_FIELDS};");
    number("SEARCH_MAX_LENGTH", max_characters("Search") as i64);
    number("SEARCH_PART_LENGTH", SEARCH_PART_LENGTH as i64);
    number("SEARCH_PAIR_LENGTH", SEARCH_PAIR_LENGTH as i64);
    println!("export const PAGE_SIZES = [{}] as const;", PAGE_SIZES.map(|size| size.to_string()).join(", "));
    number("MAX_PAGE_SIZE", PAGE_SIZES.into_iter().max().unwrap_or_default().into());
    text("HOME_PATH", HOME_PATH);
    let starts = [Level::Customer, Level::Reseller, Level::Operator]
        .map(|level| format!("'{}'", start_path(level, StaffRole::Operator)));
    println!("/** The screen after signing in, by level. */");
    println!("export const START_PATHS: readonly string[] = [{}];", starts.join(", "));
    let starts =
        StaffRole::ALL.iter().map(|role| format!("{}: '{}'", role.as_str(), start_path(Level::Operator, *role)));
    println!("/** The screen after signing in to an operator's account, by role. */");
    println!(
        "export const STAFF_START_PATHS: Record<StaffRole, string> = {{ {} }};",
        starts.collect::<Vec<_>>().join(", ")
    );
    text("ORDER_PATH", ORDER_PATH);
    text("OPERATOR_PATH", OPERATOR_PATH);
    number("CUSTOMER", Level::Customer.number().into());
    number("RESELLER", Level::Reseller.number().into());
    number("OPERATOR", Level::Operator.number().into());
    number("PASSWORD_MIN_LENGTH", PASSWORD_MIN_LENGTH as i64);
    number("COUPON_CODE_MAX_LENGTH", *COUPON_CODE_LENGTH.end() as i64);
    number("PRESET_NAME_MAX_LENGTH", PRESET_NAME_MAX_LENGTH as i64);
    number("SERVER_NAME_MAX_LENGTH", SERVER_NAME_MAX_LENGTH as i64);
    number("MAX_COUNTED_NODES", MAX_COUNTED_NODES);
    number("FILTER_MAX_IPS", FILTER_MAX_IPS as i64);
    number("HOLD_MINUTES", HOLD_MINUTES);
    number("PRICE_PERIOD_DAYS", PRICE_PERIOD_DAYS.into());
    let attempts = ATTEMPT_MINUTES_BEFORE.map(|minutes| minutes.to_string()).join(", ");
    println!("export const RENEWAL_ATTEMPT_MINUTES = [{attempts}] as const;");
    number("MAX_DISCOUNT_BASIS_POINTS", MAX_DISCOUNT_BASIS_POINTS.into());
    number("AVATAR_MAX_MEGABYTES", (AVATAR_MAX_BYTES >> 20) as i64);
    number("AVATAR_MAX_SIDE", AVATAR_MAX_SIDE.into());
    number("MAX_API_KEYS", MAX_API_KEYS.into());
    number("MAX_KEY_ADDRESSES", MAX_KEY_ADDRESSES as i64);
    number("MAX_WEBHOOKS", MAX_WEBHOOKS.into());
    number("SALES_DAYS", SALES_DAYS);
    number("SHORT_STOCK_DAYS", SHORT_STOCK_DAYS);
    number("INVENTORY_MAX_MEGABYTES", (UPLOAD_MAX_BYTES >> 20) as i64);
    println!("export const INVENTORY_COLUMNS = [{}] as const;", quoted(FILE.known.iter().copied()));
    println!("export const REQUIRED_INVENTORY_COLUMNS = [{}] as const;", quoted(FILE.required.iter().copied()));
    number("MESSAGE_MAX_LENGTH", MESSAGE_MAX_LENGTH as i64);
    number("DEDICATED_NODE_TYPE", DEDICATED_NODE_TYPE.into());
    text("TRAFFIC_PRODUCT", TRAFFIC_PRODUCT);
    number("ACCOUNT_NOTE_MAX_LENGTH", NOTE_MAX_LENGTH as i64);
    number("VIEW_MINUTES", VIEW_MINUTES);
    number("WEBHOOK_TIMEOUT_SECONDS", webhook_delivery::TIMEOUT_SECONDS as i64);
    number("WEBHOOK_MAX_ATTEMPTS", webhook_delivery::max_attempts() as i64);
    number("WEBHOOK_OLD_SECRET_HOURS", webhook_delivery::OLD_SECRET_HOURS);
    number("WEBHOOK_DELIVERIES_KEPT_DAYS", webhook_delivery::DELIVERIES_KEPT_DAYS);
    number("ATTACHMENTS_PER_MESSAGE", support::attachment::PER_MESSAGE as i64);
    number("NEWS_HEARTBEAT_SECONDS", support::HEARTBEAT_SECONDS as i64);
    number("NEWS_POLL_SECONDS", support::POLL_SECONDS as i64);
    number("UNREAD_POLL_SECONDS", support::UNREAD_POLL_SECONDS as i64);
    println!("export const PLACEHOLDERS = [{}] as const;", quoted(support::canned::PLACEHOLDERS.into_iter()));
    println!("export const KEEP_OLD_HOURS = [{}] as const;", KEEP_OLD_HOURS.map(|hours| hours.to_string()).join(", "));
    let minutes = OLD_VALID_MINUTES.map(|minutes| minutes.to_string()).join(", ");
    println!("export const OLD_VALID_MINUTES = [{minutes}] as const;");
    println!("export const UNINHABITED: readonly string[] = [{}];", quoted(UNINHABITED.into_iter()));
    states("OrderState", OrderState::ALL, OrderState::as_str);
    states("OrderKind", OrderKind::ALL, OrderKind::as_str);
    states("PaymentState", PaymentState::ALL, PaymentState::as_str);
    states("PaymentMethod", PaymentMethod::ALL, PaymentMethod::as_str);
    states("PaymentCaseKind", PaymentCaseKind::ALL, PaymentCaseKind::as_str);
    states("ReturnKind", ReturnKind::ALL, ReturnKind::as_str);
    states("ReturnState", ReturnState::ALL, ReturnState::as_str);
    states("RefundProgress", RefundProgress::ALL, RefundProgress::as_str);
    states("FeedProblem", FeedProblem::ALL, FeedProblem::as_str);
    states("NodeState", NodeState::ALL, NodeState::as_str);
    states("EntryKind", EntryKind::ALL, EntryKind::as_str);
    states("Adjustment", Adjustment::ALL, Adjustment::as_str);
    states("AuditAction", AuditAction::ALL, AuditAction::as_str);
    states("AnnouncementState", AnnouncementState::ALL, AnnouncementState::as_str);
    states("AnnouncementTone", AnnouncementTone::ALL, AnnouncementTone::as_str);
    states("LegalKind", LegalKind::ALL, LegalKind::as_str);
    number("ANNOUNCEMENT_MAX_LENGTH", ANNOUNCEMENT_MAX_LENGTH as i64);
    number("LEGAL_TEXT_MAX_LENGTH", LEGAL_TEXT_MAX_LENGTH as i64);
    states("StaffRole", StaffRole::ALL, StaffRole::as_str);
    states("BusinessRange", BusinessRange::ALL, BusinessRange::as_str);
    states("OperatorTask", OperatorTask::ALL, OperatorTask::as_str);
    states("SetupStep", SetupStep::ALL, SetupStep::as_str);
    states("JobName", JobName::ALL, JobName::as_str);
    states("JobState", JobState::ALL, JobState::as_str);
    states("MailState", MailState::ALL, MailState::as_str);
    states("MailTemplate", MailTemplate::ALL, MailTemplate::as_str);
    number("COUNTED_ROWS", COUNTED_ROWS);
    number("MAX_RESENT", MAX_RESENT as i64);
    number("MAILS_KEPT_DAYS", KEEP_DAYS);
    number("BACKUP_DAYS", BACKUP_DAYS);
    states("AuditChannel", AuditChannel::ALL, AuditChannel::as_str);
    states("InvoiceKind", InvoiceKind::ALL, InvoiceKind::as_str);
    states("ProductState", ProductState::ALL, ProductState::as_str);
    states("AutoRenewal", AutoRenewal::ALL, AutoRenewal::as_str);
    states("SwitchMode", SwitchMode::ALL, SwitchMode::as_str);
    states("PriceAction", PriceAction::ALL, PriceAction::as_str);
    states("CouponState", CouponState::ALL, CouponState::as_str);
    states("Limit", Limit::ALL, Limit::as_str);
    states("Verdict", Verdict::ALL, Verdict::as_str);
    states("DeliveryState", DeliveryState::ALL, DeliveryState::as_str);
    states("SecurityKind", SecurityKind::ALL, SecurityKind::as_str);
    states("AccessMode", AccessMode::ALL, AccessMode::as_str);
    states("ProxyServerKind", ProxyServerKind::ALL, ProxyServerKind::as_str);
    states("UsageRejection", UsageRejection::ALL, UsageRejection::as_str);
    states("Region", Region::ALL, Region::as_str);
    println!("/** The states in which money of an order can be given back. */");
    println!("export const REFUNDABLE: Record<OrderKind, readonly OrderState[]> = {{");
    for kind in OrderKind::ALL {
        let states = OrderState::ALL.iter().filter(|state| is_refundable(*kind, **state));
        println!("  {}: [{}],", kind.as_str(), quoted(states.map(|state| state.as_str())));
    }
    println!("}};");
}

/// The sidebar of each level, drawn while the wasm package is loading. Levels with the same sidebar share it.
fn write_sidebars() {
    println!("// Generated from core by `make gen`: change core/src/screens.rs instead.");
    println!("export interface SidebarChild {{ readonly Key: string; readonly Path: string }}");
    println!("export interface SidebarEntry extends SidebarChild {{");
    println!("  readonly Group: number;");
    println!("  readonly Action: {};", ENTRY_ACTIONS.map(|action| format!("'{}'", action_name(action))).join(" | "));
    println!("  readonly Children: readonly SidebarChild[];");
    println!("}}");
    let mut written: Vec<(u8, Vec<SidebarEntry>)> = Vec::new();
    let mut names = Vec::new();
    for level in [Level::Customer, Level::Reseller, Level::Operator].map(Level::number) {
        let of_level = |level| sidebar_for(level, StaffRole::Operator);
        let sidebar = Level::from_number(level).map(of_level).unwrap_or_default();
        let first = written.iter().find(|(_, other)| *other == sidebar).map(|(first, _)| *first);
        if first.is_none() {
            write_sidebar(&format!("const OF_LEVEL_{level}"), &sidebar);
            written.push((level, sidebar));
        }
        names.push(format!("{level}: OF_LEVEL_{}", first.unwrap_or(level)));
    }
    println!("export const SIDEBARS: Record<number, readonly SidebarEntry[]> = {{ {} }};", names.join(", "));
    let staff = [StaffRole::Support, StaffRole::Accountant];
    for role in staff {
        write_sidebar(&format!("const OF_{}", role.as_str().to_uppercase()), &sidebar_for(Level::Operator, role));
    }
    let names = staff.map(|role| format!("{}: OF_{}", role.as_str(), role.as_str().to_uppercase()));
    println!("/** The sidebars of operators' accounts that may not do everything. */");
    println!("export const STAFF_SIDEBARS: Record<string, readonly SidebarEntry[]> = {{ {} }};", names.join(", "));
    write_sidebar("export const SIDEBAR_WHILE_SUSPENDED", &sidebar_while_suspended());
    println!("/** All addresses of the app: the server answers 404 for any other. */");
    println!("export const SCREENS: readonly string[] = [");
    screens().for_each(|path| println!("  '{path}',"));
    println!("];");
}

fn write_sidebar(declaration: &str, sidebar: &[SidebarEntry]) {
    println!("{declaration}: readonly SidebarEntry[] = [");
    for SidebarEntry { key, path, group, action, children } in sidebar {
        let action = action_name(*action);
        let children: Vec<_> =
            children.iter().map(|child| format!("{{ Key: '{}', Path: '{}' }}", child.key, child.path)).collect();
        let children = children.join(", ");
        println!("  {{ Key: '{key}', Path: '{path}', Group: {group}, Action: '{action}', Children: [{children}] }},");
    }
    println!("];");
}

const ENTRY_ACTIONS: [EntryAction; 3] = [EntryAction::Navigate, EntryAction::OpenHelpCenter, EntryAction::OpenChat];

fn action_name(action: EntryAction) -> String {
    serde_json::to_value(action).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The variant names of an enum, as a constant and its type.
fn states<T: Copy + std::fmt::Debug>(name: &str, all: &[T], as_str: fn(T) -> &'static str) {
    let pairs: Vec<_> = all.iter().map(|value| format!("{value:?}: '{}'", as_str(*value))).collect();
    println!("export const {name} = {{ {} }} as const;", pairs.join(", "));
    println!("export type {name} = (typeof {name})[keyof typeof {name}];");
}

fn quoted<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.map(|text| format!("'{text}'")).collect::<Vec<_>>().join(", ")
}
