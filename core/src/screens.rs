//! The screens, the sidebar that lists them, and who may open which (specification, sections 2 and 6).
use crate::permission::Level;
use crate::staff::StaffRole;
use serde::{Deserialize, Serialize};

const EVERY_LEVEL: Option<&[u8]> = Some(&[0, 1, 2]);
const NO_LIST: Option<&[u8]> = None;

/// The action of a sidebar entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntryAction {
    Navigate,
    /// Opens the configured FAQ page in a new tab.
    OpenHelpCenter,
    /// Opens the chat maximised, without navigating.
    OpenChat,
}

/// A sidebar entry. `path` is absolute; `key` is the key of its label in `locales/{language}/nav.json`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SidebarEntry {
    pub key: &'static str,
    pub path: &'static str,
    pub group: u8,
    pub action: EntryAction,
    pub children: Vec<SidebarChild>,
}

/// A screen under an entry. Without `levels`, every signed-in user may open it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SidebarChild {
    pub key: &'static str,
    pub path: &'static str,
    pub levels: Option<Vec<u8>>,
}

type ChildRow = (&'static str, &'static str, Option<&'static [u8]>);
type EntryRow = (&'static str, &'static str, u8, EntryAction, &'static [ChildRow]);

const TABLE: &[EntryRow] = &[
    (
        "welcome",
        "/welcome",
        1,
        EntryAction::Navigate,
        &[("products", "/welcome/products", EVERY_LEVEL), ("proxies", "/welcome/proxies", EVERY_LEVEL)],
    ),
    (
        "residential-proxies",
        "/residential-proxies",
        1,
        EntryAction::Navigate,
        &[
            ("users", "/residential-proxies/users", EVERY_LEVEL),
            ("endpoint-generator", "/residential-proxies/endpoint-generator", EVERY_LEVEL),
            ("pricing", "/residential-proxies/pricing", EVERY_LEVEL),
            ("order", "/residential-proxies/order", NO_LIST),
        ],
    ),
    (
        "static-residential-proxies",
        "/static-residential-proxies",
        1,
        EntryAction::Navigate,
        &[
            ("pricing", "/static-residential-proxies/pricing", EVERY_LEVEL),
            ("order", "/static-residential-proxies/order", NO_LIST),
            ("proxy-list", "/static-residential-proxies/proxy-list", EVERY_LEVEL),
            ("group-list", "/static-residential-proxies/group-list", EVERY_LEVEL),
            ("replaced", "/static-residential-proxies/replaced", EVERY_LEVEL),
            ("proxy-setup", "/static-residential-proxies/proxy-setup", EVERY_LEVEL),
        ],
    ),
    (
        "billing",
        "/billing",
        2,
        EntryAction::Navigate,
        &[
            ("billing-products", "/billing/products", EVERY_LEVEL),
            ("billing-wallet", "/billing/wallet", EVERY_LEVEL),
            ("billing-transactions", "/billing/transactions", EVERY_LEVEL),
        ],
    ),
    (
        "my-account",
        "/my-account",
        2,
        EntryAction::Navigate,
        &[
            ("details", "/my-account/details", EVERY_LEVEL),
            ("password", "/my-account/password", EVERY_LEVEL),
            ("webhooks", "/my-account/webhooks", EVERY_LEVEL),
            ("api-keys", "/my-account/api-keys", EVERY_LEVEL),
        ],
    ),
    ("referrals", "/referrals", 2, EntryAction::Navigate, &[]),
    ("help-center", "/help-center", 3, EntryAction::OpenHelpCenter, &[]),
    ("contact-support", "/contact-support", 3, EntryAction::OpenChat, &[]),
];

/// The operators' screens, each with the call that it shows: it is open to the roles that may make it. Add a line for another screen.
const OPERATOR_SCREENS: &[(&str, &str, &str)] = &[
    ("operator-business", "/operator/business", "Operator/GetBusiness"),
    ("operator-orders", "/operator/orders", "Operator/GetOrderList"),
    ("operator-payments", "/operator/payments", "Operator/GetPaymentList"),
    ("operator-invoices", "/operator/invoices", "Operator/GetInvoiceList"),
    ("operator-accounts", "/operator/accounts", "Operator/GetAccountList"),
    ("operator-inventory", "/operator/inventory", "Operator/GetInventory"),
    ("operator-prices", "/operator/prices", "Operator/GetPrices"),
    ("operator-coupons", "/operator/coupons", "Operator/GetCouponList"),
    ("operator-proxy-servers", "/operator/proxy-servers", "Operator/GetProxyServerList"),
    ("operator-referrals", "/operator/referrals", "Operator/GetReferralReviewList"),
    ("operator-support", "/operator/support", "Operator/GetConversationList"),
    ("operator-announcements", "/operator/announcements", "Operator/GetAnnouncementList"),
    ("operator-mails", "/operator/mails", "Operator/GetMailList"),
    ("operator-system", "/operator/system", "Operator/GetJobList"),
    ("operator-audit-log", "/operator/audit-log", "Operator/GetAuditLog"),
];

/// The operators' screens that are in no sidebar, each with its call.
const OPERATOR_DETAILS: &[(&str, &str)] = &[
    ("/operator/accounts/:accountId", "Operator/GetAccount"),
    ("/operator/accounts/:accountId/view", "Operator/ViewAsCustomer"),
    ("/operator/support/:accountId", "Operator/GetConversation"),
];

/// The order screen: a child of the layout without a list of levels, in menu group 1 (specification, section 2).
pub const ORDER_PATH: &str = "/order";
/// The prefix of the operator-only screens.
pub const OPERATOR_PATH: &str = "/operator";
/// The target of the layout's index route.
pub const HOME_PATH: &str = "/residential-proxies/users";

/// The screen after signing in, unless the address names another: what the account owns, or for operators' accounts what their role begins with.
pub fn start_path(level: Level, role: StaffRole) -> &'static str {
    match (level, role) {
        (Level::Customer | Level::Reseller, _) => "/welcome/products",
        (Level::Operator, StaffRole::Operator | StaffRole::Accountant) => "/operator/business",
        (Level::Operator, StaffRole::Support) => "/operator/support",
    }
}

/// The screens of visitors, and of mailed links, which open without signing in.
const VISITORS_SCREENS: &[&str] =
    &["/login", "/sign-up", "/password-reset", "/email-change", "/unsubscribe", "/terms", "/privacy"];

/// Other addresses of the front end that are in no sidebar, and earlier ones that lead to today's. A part that starts with a colon stands for
/// anything.
const OTHER_SCREENS: &[&str] = &[
    "/",
    ORDER_PATH,
    "/billing/billing-products",
    "/billing/billing-wallet",
    "/billing/billing-transactions",
    OPERATOR_PATH,
    "/status",
];

/// All addresses of the front end, as in its router.
pub fn screens() -> impl Iterator<Item = &'static str> {
    let entries = TABLE.iter().filter(|entry| entry.3 != EntryAction::OpenHelpCenter);
    let listed = entries.flat_map(|entry| [entry.1].into_iter().chain(entry.4.iter().map(|child| child.1)));
    let of_operators =
        OPERATOR_SCREENS.iter().map(|screen| screen.1).chain(OPERATOR_DETAILS.iter().map(|screen| screen.0));
    VISITORS_SCREENS.iter().chain(OTHER_SCREENS).copied().chain(listed).chain(of_operators)
}

/// Whether the front end has a screen at this path.
pub fn is_screen(path: &str) -> bool {
    screen_at(path).is_some()
}

/// The screen at this path, if there is one; like the router of the front end, without regard to case and a slash at the end.
fn screen_at(path: &str) -> Option<&'static str> {
    let is_same = |part: &str, wanted: &str| match part.starts_with(':') {
        true => !wanted.is_empty(),
        false => part.eq_ignore_ascii_case(wanted),
    };
    screens().find(|screen| {
        let mut wanted = path.trim_end_matches('/').split('/');
        let mut parts = screen.trim_end_matches('/').split('/');
        path.starts_with('/')
            && parts.all(|part| wanted.next().is_some_and(|wanted| is_same(part, wanted)))
            && wanted.next().is_none()
    })
}

/// The whole table, for all levels.
pub fn sidebar() -> Vec<SidebarEntry> {
    TABLE.iter().map(entry).collect()
}

fn entry(&(key, path, group, action, children): &EntryRow) -> SidebarEntry {
    let child = |&(key, path, levels): &ChildRow| SidebarChild { key, path, levels: levels.map(<[u8]>::to_vec) };
    SidebarEntry { key, path, group, action, children: children.iter().map(child).collect() }
}

/// The sidebar of this level: without screens that it may not open, with the order screen at the end of group 1, and for operators' accounts with
/// the screens of their role at the top.
pub fn sidebar_for(level: Level, role: StaffRole) -> Vec<SidebarEntry> {
    let mut entries = sidebar();
    for entry in &mut entries {
        entry.children.retain(|child| can_open(child.path, Some(level), role));
    }
    let end_of_group = entries.iter().take_while(|entry| entry.group == 1).count();
    entries.insert(end_of_group, entry(&("orders", ORDER_PATH, 1, EntryAction::Navigate, &[])));
    if level == Level::Operator {
        entries.insert(0, operator_entry(role));
    }
    entries
}

fn operator_entry(role: StaffRole) -> SidebarEntry {
    let open = OPERATOR_SCREENS.iter().filter(|screen| role.may_call(screen.2));
    let child = |&(key, path, _): &(_, _, _)| SidebarChild { key, path, levels: Some(vec![Level::Operator.number()]) };
    SidebarEntry {
        key: "operator",
        path: OPERATOR_PATH,
        group: 0,
        action: EntryAction::Navigate,
        children: open.map(child).collect(),
    }
}

/// Whether there is a screen at this path that this level may open. Anonymous visitors may open those to sign in and of mailed links, as
/// everyone may; a screen without a list of levels is open to every signed-in user; operators' screens are open to the roles that may make their
/// call.
pub fn can_open(path: &str, level: Option<Level>, role: StaffRole) -> bool {
    let Some(screen) = screen_at(path) else { return false };
    let Some(level) = level else { return VISITORS_SCREENS.contains(&screen) };
    if screen == OPERATOR_PATH {
        return level == Level::Operator;
    }
    let listed = OPERATOR_SCREENS.iter().map(|&(_, path, call)| (path, call));
    if let Some((_, call)) = listed.chain(OPERATOR_DETAILS.iter().copied()).find(|(path, _)| *path == screen) {
        return level == Level::Operator && role.may_call(call);
    }
    let listed = TABLE.iter().flat_map(|entry| entry.4).find(|child| child.1 == screen).and_then(|child| child.2);
    listed.is_none_or(|levels| levels.contains(&level.number()))
}

/// Screens that a suspended account may open: its wallet, transactions and orders, and its details, to export its data. Help and support are
/// not screens, and stay available.
const WHILE_SUSPENDED: &[&str] =
    &["/billing", "/billing/wallet", "/billing/transactions", "/my-account/details", ORDER_PATH];

/// Whether a suspended account may open the screen at this path, if its level may.
pub fn can_open_while_suspended(path: &str) -> bool {
    WHILE_SUSPENDED.contains(&path)
}

/// The sidebar of a suspended account, the same for every level: orders, billing, details and support.
pub fn sidebar_while_suspended() -> Vec<SidebarEntry> {
    let mut entries = sidebar_for(Level::Customer, StaffRole::Operator);
    for entry in &mut entries {
        entry.children.retain(|child| can_open_while_suspended(child.path));
    }
    entries.retain(|entry| {
        entry.action != EntryAction::Navigate || !entry.children.is_empty() || entry.path == ORDER_PATH
    });
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(path: &str, level: Option<Level>) -> bool {
        can_open(path, level, StaffRole::Operator)
    }

    fn sidebar_of(level: Level) -> Vec<SidebarEntry> {
        sidebar_for(level, StaffRole::Operator)
    }

    #[test]
    fn anonymous_visitors_open_what_they_sign_in_with_and_nothing_else() {
        for path in ["/login", "/sign-up", "/password-reset", "/Login/", "/unsubscribe", "/email-change"] {
            assert!(opens(path, None), "{path}");
            assert!(opens(path, Some(Level::Customer)), "{path}");
        }
        assert!(!opens("/", None) && opens("/", Some(Level::Customer)));
        assert!(sidebar().iter().flat_map(|entry| &entry.children).all(|child| !opens(child.path, None)));
        assert!(!opens(ORDER_PATH, None));
    }

    #[test]
    fn order_screens_have_no_list_of_levels_and_all_others_have_every_level() {
        for entry in sidebar() {
            for child in entry.children {
                let expected = (child.key != "order").then(|| vec![0, 1, 2]);
                assert_eq!(child.levels, expected, "{}", child.path);
            }
        }
    }

    #[test]
    fn the_table_matches_the_specification() {
        let rows: Vec<_> = sidebar().iter().map(|entry| (entry.key, entry.group, entry.children.len())).collect();
        let expected = [
            ("welcome", 1, 2),
            ("residential-proxies", 1, 4),
            ("static-residential-proxies", 1, 6),
            ("billing", 2, 3),
            ("my-account", 2, 4),
            ("referrals", 2, 0),
            ("help-center", 3, 0),
            ("contact-support", 3, 0),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn orders_end_menu_group_1() {
        for level in [Level::Customer, Level::Reseller, Level::Operator] {
            let entries = sidebar_of(level);
            let last = entries.iter().rfind(|entry| entry.group == 1);
            assert_eq!(last.map(|entry| entry.path), Some(ORDER_PATH));
            assert!(entries.is_sorted_by_key(|entry| entry.group));
        }
    }

    #[test]
    fn everyone_starts_on_a_screen_of_their_sidebar() {
        for level in [Level::Customer, Level::Reseller, Level::Operator] {
            let entries = sidebar_of(level);
            let first = entries.first().and_then(|entry| entry.children.first());
            assert_eq!(first.map(|child| child.path), Some(start_path(level, StaffRole::Operator)));
        }
    }

    #[test]
    fn only_operators_have_the_operator_entry_at_the_top() {
        let has = |level| sidebar_of(level).iter().any(|entry| entry.key == "operator");
        assert_eq!([Level::Customer, Level::Reseller].map(has), [false, false]);
        let entry = sidebar_of(Level::Operator).remove(0);
        assert_eq!((entry.key, entry.group), ("operator", 0));
        for child in entry.children {
            assert!(child.path.starts_with("/operator/"), "{}", child.path);
            assert!(!opens(child.path, Some(Level::Reseller)), "{}", child.path);
        }
    }

    #[test]
    fn a_role_opens_the_screens_whose_call_it_may_make() {
        let opens = |path, role| can_open(path, Some(Level::Operator), role);
        for (path, expected) in [
            ("/operator", [true, true]),
            ("/operator/orders", [true, true]),
            ("/operator/accounts/17", [true, true]),
            ("/operator/accounts/17/view", [true, false]),
            ("/operator/support", [true, false]),
            ("/operator/support/17", [true, false]),
            ("/operator/business", [false, true]),
            ("/operator/audit-log", [false, true]),
            ("/operator/system", [false, false]),
            ("/welcome/products", [true, true]),
        ] {
            assert_eq!([StaffRole::Support, StaffRole::Accountant].map(|role| opens(path, role)), expected, "{path}");
            assert!(opens(path, StaffRole::Operator), "{path}");
        }
        for role in [StaffRole::Support, StaffRole::Accountant] {
            let children = sidebar_for(Level::Operator, role).remove(0).children;
            assert!(children.iter().any(|child| child.path == start_path(Level::Operator, role)), "{role:?}");
            assert!(children.iter().all(|child| opens(child.path, role)), "{role:?}");
        }
        for (_, path, call) in OPERATOR_SCREENS {
            assert!(crate::calls::find(call).is_some(), "{path}: {call}");
        }
    }

    #[test]
    fn screens_are_known_by_their_paths() {
        for path in ["/", "/login", "/Login/", "/sign-up", "/order", HOME_PATH, "/operator", "/operator/support/17"] {
            assert!(is_screen(path), "{path}");
        }
        for path in ["/help-center", "/loginx", "/login/x", "//login", "/operator/support/17/x", "/billing/zzz"] {
            assert!(!is_screen(path), "{path}");
        }
    }

    #[test]
    fn operator_screens_are_open_to_operators_only() {
        for path in ["/operator", "/operator/accounts"] {
            let open = [Level::Customer, Level::Reseller, Level::Operator].map(|level| opens(path, Some(level)));
            assert_eq!(open, [false, false, true], "{path}");
        }
        assert!(!opens("/Operator/Accounts/", Some(Level::Reseller)), "as the router reads it");
        for path in ["/operators", "/nope", "", "order", "/billing/zzz"] {
            for level in [None, Some(Level::Customer), Some(Level::Operator)] {
                assert!(!opens(path, level), "{path} is no screen");
            }
        }
    }

    #[test]
    fn a_suspended_account_sees_only_billing_its_details_and_support() {
        let rows: Vec<_> = sidebar_while_suspended()
            .iter()
            .map(|entry| (entry.key, entry.children.iter().map(|child| child.path).collect::<Vec<_>>()))
            .collect();
        let expected = [
            ("orders", vec![]),
            ("billing", vec!["/billing/wallet", "/billing/transactions"]),
            ("my-account", vec!["/my-account/details"]),
            ("help-center", vec![]),
            ("contact-support", vec![]),
        ];
        assert_eq!(rows, expected);
        for path in [HOME_PATH, "/", "/my-account/password", "/billing/products", "/operator/accounts", "/order/"] {
            assert!(!can_open_while_suspended(path), "{path}");
        }
    }
}
