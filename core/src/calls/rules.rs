//! What follows from a call's row in the table.
use crate::calls::KeyUse::SignedInOnly;
use crate::calls::Scope::*;
use crate::calls::{Access, Call, KeyUse};
use crate::permission::Level;
use crate::staff::StaffRole;

/// The calls that set up proxies and could be undone: they cost nothing, delete nothing that cannot be made again, and neither show nor set a
/// password or another secret. Sorted by name.
const CHANGES_IN_VIEWS: &[&str] = &[
    "Endpoints/DeletePreset",
    "Endpoints/SavePreset",
    "Ips/AddToGroup",
    "Ips/AddUserPlanGroup",
    "Ips/AddWhiteList",
    "Ips/ClearUserPlanGroup",
    "Ips/ClearUserPlanGroupAllNode",
    "Ips/DelWhite",
    "Ips/DeleteUserPlanGroup",
    "Ips/EditNodeNote",
    "Ips/EditUserPlanGroup",
    "Ips/UpdateVerAuth",
    "ProxyUsers/AddProxyUserAddress",
    "ProxyUsers/DelProxyUserAddress",
    "ProxyUsers/PauseProxyUsers",
    "ProxyUsers/ResumeProxyUsers",
];

impl Call {
    /// Whether a signed-in user of this level, and of this role if it is an operator's account, may make the call. Public calls are open to everyone.
    pub fn is_open_to(&self, level: Level, role: StaffRole, is_suspended: bool) -> bool {
        match self.access {
            Access::Public => true,
            Access::SignedIn => !is_suspended || self.while_suspended,
            Access::Operator => {
                level == Level::Operator && role.may_call(self.name) && (!is_suspended || self.while_suspended)
            }
        }
    }

    /// Whether an operator who looks at the shop as a customer may make the call: those that only read, and signing out, which ends the view.
    pub fn is_open_to_views(&self) -> bool {
        match (self.access, self.key_use) {
            (Access::Public, _) => true,
            (Access::Operator, _) => false,
            (Access::SignedIn, KeyUse::With(_)) => !self.is_change(),
            (Access::SignedIn, SignedInOnly) => {
                let verb = self.name.split_once('/').map_or(self.name, |(_, verb)| verb);
                ["Get", "WaitFor"].iter().any(|read| verb.starts_with(read)) || self.name == "User/Logout"
            }
        }
    }

    /// Whether an operator who looks at the shop as a customer may make the call if the seller allows changes in views (`Limit::ViewChanges`).
    pub fn is_change_for_views(&self) -> bool {
        CHANGES_IN_VIEWS.contains(&self.name)
    }

    /// Whether it is recorded in the audit log: every change by an operator but the mark of what one has read.
    pub fn is_audited(&self) -> bool {
        let is_change = self.is_change() || self.name == "Operator/ViewAsCustomer";
        self.access == Access::Operator && is_change && self.name != "Operator/MarkConversationRead"
    }

    /// Whether it changes anything, or reveals a secret that only write scopes may read: made with a key, it is recorded in the security
    /// log.
    pub fn is_change(&self) -> bool {
        let verb = self.name.split_once('/').map_or(self.name, |(_, verb)| verb);
        match self.key_use {
            SignedInOnly => false,
            KeyUse::With(ReadProxies | ReadTraffic | ReadBilling | ReadAccount) => false,
            KeyUse::With(WriteProxies | WriteTraffic | WriteBilling | WriteAccount) => true,
            KeyUse::With(Operate) => !["Get", "Preview", "Export", "Examine"].iter().any(|read| verb.starts_with(read)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{calls, find};
    use crate::staff;

    #[test]
    fn what_the_seller_may_allow_in_views_costs_nothing_and_shows_no_secret() {
        assert!(CHANGES_IN_VIEWS.is_sorted());
        for name in CHANGES_IN_VIEWS {
            let call = find(name).expect("a call");
            assert!(call.is_change() && !call.is_open_to_views() && !call.requires_confirmation, "{name}");
            assert!(matches!(call.key_use, KeyUse::With(WriteProxies | WriteTraffic)), "{name}");
            assert!(!["Password", "UserPass", "Account", "Url", "Reveal"].iter().any(|secret| name.contains(secret)));
        }
        for name in [
            "Ips/SwitchNode",
            "ProxyUsers/EditProxyUser",
            "ProxyUsers/DeleteProxyUsers",
            "ProxyUsers/ResetProxyUsers",
            "Order/PayOrder",
        ] {
            assert!(!find(name).expect("a call").is_change_for_views(), "{name}");
        }
    }

    #[test]
    fn a_view_reads_and_changes_nothing() {
        for call in calls().iter().filter(|call| call.is_open_to_views() && call.access != Access::Public) {
            let verb = call.name.split_once('/').map_or("", |(_, verb)| verb);
            let reads = ["Get", "Export", "Quote", "Test", "user", "User", "Wait", "Logout", "CheckCoupon"];
            assert!(reads.iter().any(|read| verb.starts_with(read)), "{}", call.name);
            assert!(!call.requires_confirmation && !call.takes_key && !call.is_upload, "{}", call.name);
        }
        let is_open = |name| find(name).expect("a call").is_open_to_views();
        for name in ["Ips/GetUserNodeList", "User/GetSessionList", "User/Logout", "User/GetWallet"] {
            assert!(is_open(name), "{name}");
        }
        for name in
            ["User/ExportData", "User/RevealAccessToken", "ProxyUsers/RevealProxyUserPassword", "Operator/GetAccount"]
        {
            assert!(!is_open(name), "{name}");
        }
    }

    #[test]
    fn every_change_by_an_operator_is_recorded() {
        let is_audited = |name| find(name).expect("a call").is_audited();
        for name in ["Operator/AdjustWallet", "Operator/ViewAsCustomer", "Order/SettlePayment", "Operator/SendReply"] {
            assert!(is_audited(name), "{name}");
        }
        for name in ["Operator/GetAuditLog", "Operator/ExportAuditLog", "Operator/MarkConversationRead", "User/Logout"]
        {
            assert!(!is_audited(name), "{name}");
        }
        assert!(calls().iter().filter(|call| call.is_audited()).count() > 15);
    }

    #[test]
    fn every_listed_call_is_an_operators_call() {
        for listed in [staff::SUPPORT, staff::ACCOUNTANT] {
            assert!(listed.is_sorted());
            for name in listed {
                assert_eq!(find(name).map(|call| call.access), Some(Access::Operator), "{name}");
            }
        }
    }

    #[test]
    fn accountants_change_nothing() {
        for call in
            calls().iter().filter(|call| call.access == Access::Operator && StaffRole::Accountant.may_call(call.name))
        {
            assert!(!call.is_change() && !call.requires_confirmation && !call.is_upload, "{}", call.name);
        }
        assert!(!StaffRole::Accountant.may_call("Operator/ViewAsCustomer"), "a view would be a way to chats");
    }

    #[test]
    fn support_moves_money_by_refunds_only_and_grants_nothing() {
        let confirmed: Vec<_> = calls()
            .iter()
            .filter(|call| {
                call.access == Access::Operator && call.requires_confirmation && StaffRole::Support.may_call(call.name)
            })
            .map(|call| call.name)
            .collect();
        assert_eq!(confirmed, ["Operator/RefundOrder", "Operator/ReplaceNode", "Operator/ViewAsCustomer"]);
        for name in
            ["Operator/AdjustWallet", "Operator/SetAccountTerms", "Operator/TurnOffTwoFactor", "Operator/GetAuditLog"]
        {
            assert!(!StaffRole::Support.may_call(name), "{name}");
        }
    }

    #[test]
    fn every_role_keeps_the_calls_of_its_own_account() {
        for role in StaffRole::ALL {
            for name in ["User/ChangePassword", "Order/CreateOrder"] {
                assert!(find(name).expect("a call").is_open_to(Level::Operator, *role, false), "{role:?} {name}");
            }
        }
        assert!(calls().iter().all(|call| call.is_open_to(Level::Operator, StaffRole::Operator, false)));
    }
}
