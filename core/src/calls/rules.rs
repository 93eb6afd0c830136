//! What follows from a call's row in the table.
use crate::calls::KeyUse::SignedInOnly;
use crate::calls::Scope::*;
use crate::calls::{Access, Call, KeyUse};
use crate::permission::Level;

impl Call {
    /// Whether a signed-in user of this level may make the call. Public calls are open to everyone.
    pub fn is_open_to(&self, level: Level, is_suspended: bool) -> bool {
        match self.access {
            Access::Public => true,
            Access::SignedIn => !is_suspended || self.while_suspended,
            Access::Operator => level == Level::Operator && (!is_suspended || self.while_suspended),
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
            KeyUse::With(Operate) => !["Get", "Preview", "Export"].iter().any(|read| verb.starts_with(read)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{calls, find};

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
}
