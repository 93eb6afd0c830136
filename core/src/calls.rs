//! The table of all API calls and who may make them. The server refuses to start with a route that is not in it, and refuses every
//! request for a call that is not in it (specification, section 7; permission levels, section 6).
use crate::permission::Level;

/// The HTTP method of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Method {
    Get,
    Post,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// Everyone, without a token.
    Public,
    /// Every signed-in user, for their own account.
    SignedIn,
    /// Operators only.
    Operator,
}

/// One call: `POST /api/{name}`, or `GET`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Call {
    /// `Group/Call`, spelled as in the specification.
    pub name: &'static str,
    pub method: Method,
    pub access: Access,
    /// Whether a suspended account may make it.
    pub while_suspended: bool,
}

impl Call {
    /// Whether a signed-in user of this level may make the call. Public calls are open to everyone.
    pub fn is_open_to(&self, level: Level, is_suspended: bool) -> bool {
        match self.access {
            Access::Public => true,
            Access::SignedIn => !is_suspended || self.while_suspended,
            Access::Operator => level == Level::Operator && (!is_suspended || self.while_suspended),
        }
    }
}

/// Public calls: sign-in, sign-up, and public settings.
const fn public(name: &'static str) -> Call {
    Call { name, method: Method::Post, access: Access::Public, while_suspended: true }
}

/// Calls for accounts in good standing.
const fn own(name: &'static str) -> Call {
    Call { name, method: Method::Post, access: Access::SignedIn, while_suspended: false }
}

/// Calls that suspended accounts may make too: reading billing and their own data, support, and signing out.
const fn even_suspended(name: &'static str) -> Call {
    Call { name, method: Method::Post, access: Access::SignedIn, while_suspended: true }
}

const fn operator(name: &'static str) -> Call {
    Call { name, method: Method::Post, access: Access::Operator, while_suspended: false }
}

const fn get(call: Call) -> Call {
    Call { method: Method::Get, ..call }
}

/// Sorted by name, byte by byte.
const CALLS: &[Call] = &[
    even_suspended("Billing/GetInvoice"),
    even_suspended("Billing/GetInvoiceList"),
    even_suspended("Billing/GetInvoicePdf"),
    own("Endpoints/CreateUrl"),
    own("Endpoints/DeletePreset"),
    own("Endpoints/GetPresetList"),
    own("Endpoints/GetServerList"),
    own("Endpoints/GetUrlList"),
    own("Endpoints/RevokeUrl"),
    own("Endpoints/SavePreset"),
    own("Ips/AddToGroup"),
    own("Ips/AddUserPlanGroup"),
    own("Ips/AddWhiteList"),
    own("Ips/ClearUserPlanGroup"),
    own("Ips/ClearUserPlanGroupAllNode"),
    own("Ips/DelWhite"),
    own("Ips/DeleteUserPlanGroup"),
    own("Ips/EditNodeNote"),
    own("Ips/EditUserPlanGroup"),
    own("Ips/ExportNodes"),
    own("Ips/ExportSwitchRecording"),
    own("Ips/GetCountryList"),
    own("Ips/GetMyPurchasableNodeList"),
    own("Ips/GetMyWhiteList"),
    own("Ips/GetServerNodeInventory"),
    own("Ips/GetServerVer"),
    own("Ips/GetUserNodeList"),
    own("Ips/GetUserPlanGroupList"),
    own("Ips/GetUserTargetList"),
    own("Ips/GetUserVerPlan"),
    own("Ips/IpsNoneRenew"),
    own("Ips/IpsNoneRenewByPrice"),
    own("Ips/MySpecifySwitchNode"),
    own("Ips/SetAutoRenew"),
    own("Ips/SwitchNode"),
    own("Ips/SwitchNodeByUnitPrice"),
    own("Ips/TestNode"),
    own("Ips/UpdateVerAuth"),
    own("Ips/UpdateVerUserPass"),
    own("Ips/UserEditNodeAccount"),
    own("Ips/UserGetNodeTable"),
    own("Ips/UserGetSwitchRecording"),
    own("Ips/UserGetTargetList"),
    own("Ips/UserGetVerAuth"),
    own("Ips/userGetUserVerPlan"),
    operator("Operator/AddProxyServer"),
    operator("Operator/GetAccount"),
    operator("Operator/GetAccountList"),
    operator("Operator/GetAlarmList"),
    operator("Operator/GetOrder"),
    operator("Operator/GetOrderList"),
    operator("Operator/GetProxyServerList"),
    operator("Operator/GetRejectedUsageList"),
    operator("Operator/PreviewRefund"),
    operator("Operator/RefundOrder"),
    operator("Operator/RemoveProxyServer"),
    operator("Operator/RotateProxyServer"),
    operator("Operator/SetAccountTerms"),
    own("Order/CancelOrder"),
    own("Order/CheckCoupon"),
    own("Order/CreateOrder"),
    operator("Order/GetCallbackList"),
    own("Order/GetHoldLimit"),
    even_suspended("Order/GetOrder"),
    even_suspended("Order/GetOrderList"),
    even_suspended("Order/GetPayment"),
    even_suspended("Order/GetPaymentMethodList"),
    even_suspended("Order/GetUnpaidOrderList"),
    own("Order/PayOrder"),
    own("Order/QuoteOrder"),
    operator("Order/SettlePayment"),
    own("ProxyUsers/AddProxyUser"),
    own("ProxyUsers/AddProxyUserAddress"),
    own("ProxyUsers/ChangeProxyUserPassword"),
    own("ProxyUsers/DelProxyUserAddress"),
    own("ProxyUsers/DeleteProxyUsers"),
    own("ProxyUsers/EditProxyUser"),
    own("ProxyUsers/ExportProxyUsers"),
    own("ProxyUsers/GetProxyUserAddressList"),
    own("ProxyUsers/GetProxyUserList"),
    own("ProxyUsers/ImportProxyUsers"),
    own("ProxyUsers/PauseProxyUsers"),
    own("ProxyUsers/ResetProxyUsers"),
    own("ProxyUsers/ResumeProxyUsers"),
    own("ProxyUsers/RevealProxyUserPassword"),
    get(public("SystemSettings/GetClientIp")),
    get(public("SystemSettings/GetPublicConfig")),
    own("Traffic/CreateTrafficOrder"),
    own("Traffic/GetTraffic"),
    own("Traffic/GetTrafficCatalogue"),
    own("Traffic/QuoteTraffic"),
    own("Traffic/SetReorder"),
    own("Usage/ExportUsage"),
    own("Usage/GetUsage"),
    even_suspended("User/GetAccountDetails"),
    even_suspended("User/GetCenter"),
    even_suspended("User/GetUserInfo"),
    even_suspended("User/GetWallet"),
    public("User/Login"),
    even_suspended("User/Logout"),
    public("User/RequestPasswordReset"),
    public("User/ResetPassword"),
    public("User/SignUp"),
    own("User/UpdateAccountDetails"),
    public("User/VerifyEmail"),
    own("Wallet/CreateTopUp"),
    even_suspended("Wallet/ExportTransactions"),
    own("Wallet/ForgetCard"),
    even_suspended("Wallet/GetAutoTopUp"),
    even_suspended("Wallet/GetCardRequest"),
    even_suspended("Wallet/GetLowBalanceAlert"),
    even_suspended("Wallet/GetMonthlyExpenses"),
    even_suspended("Wallet/GetTransactionList"),
    own("Wallet/RememberCard"),
    own("Wallet/SetAutoTopUp"),
    own("Wallet/SetLowBalanceAlert"),
];

/// The whole table, by name.
pub fn calls() -> &'static [Call] {
    CALLS
}

/// The call with exactly this name; any other spelling is unknown.
pub fn find(name: &str) -> Option<&'static Call> {
    CALLS.binary_search_by(|call| call.name.cmp(name)).ok().map(|index| &CALLS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_found_by_its_name_and_by_no_other() {
        assert!(CALLS.is_sorted_by(|one, next| one.name < next.name), "the table is searched by halves");
        for call in CALLS {
            assert_eq!(find(call.name), Some(call));
            for other in [
                call.name.to_lowercase(),
                call.name.to_uppercase(),
                format!("{}/", call.name),
                format!("/{}", call.name),
                format!("{};", call.name),
                call.name.replacen('/', "//", 1),
                call.name.replacen('/', "%2F", 1),
            ] {
                assert_eq!(find(&other), None, "{other}");
            }
        }
        assert_eq!(find(""), None);
    }

    #[test]
    fn operators_calls_are_open_to_operators_alone() {
        let of_operators: Vec<_> = CALLS.iter().filter(|call| call.access == Access::Operator).collect();
        assert_eq!(of_operators.len(), 15);
        for call in of_operators {
            assert!(!call.is_open_to(Level::Customer, false) && !call.is_open_to(Level::Reseller, false), "{call:?}");
            assert!(call.is_open_to(Level::Operator, false) && !call.is_open_to(Level::Operator, true), "{call:?}");
        }
        for call in CALLS.iter().filter(|call| call.name.starts_with("Operator/")) {
            assert_eq!(call.access, Access::Operator, "{}", call.name);
        }
    }

    #[test]
    fn a_suspended_account_reads_its_billing_and_moves_nothing() {
        let left: Vec<_> =
            CALLS.iter().filter(|call| call.access == Access::SignedIn && call.while_suspended).collect();
        for call in left {
            let name = call.name.split_once('/').expect("a group and a name").1;
            assert!(["Get", "Export"].iter().any(|verb| name.starts_with(verb)) || name == "Logout", "{}", call.name);
            assert!(!call.name.starts_with("Ips/"), "{}", call.name);
        }
        for name in ["Order/CreateOrder", "Order/PayOrder", "Wallet/CreateTopUp", "Ips/GetUserNodeList"] {
            assert!(!find(name).expect("a call").is_open_to(Level::Customer, true), "{name}");
        }
    }
}
