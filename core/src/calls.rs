//! The table of all API calls and who may make them. The server refuses to start with a route that is not in it, and refuses every
//! request for a call that is not in it (specification, section 7; permission levels, section 6).
use crate::permission::Level;
use crate::wire_enum::wire_enum;
use KeyUse::Person;
use Scope::*;

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

wire_enum! {
    /// What an API key may do. A key has one or more scopes.
    Scope {
        /// Lists of static proxies, their passwords, groups and whitelists.
        ReadProxies = "proxies:read",
        /// Changes to static proxies that cost nothing.
        WriteProxies = "proxies:write",
        /// Proxy users, usage and endpoint lists.
        ReadTraffic = "traffic:read",
        /// Changes to proxy users and endpoint lists, and their passwords.
        WriteTraffic = "traffic:write",
        /// Orders, payments, invoices and the wallet.
        ReadBilling = "billing:read",
        /// Everything that spends money or tops up the wallet.
        WriteBilling = "billing:write",
        /// Details, notifications, webhooks, referrals and support messages.
        ReadAccount = "account:read",
        /// Changes to these.
        WriteAccount = "account:write",
        /// Operators' calls, for keys of an operator's account.
        Operate = "operator",
    }
}

/// How an API key may make a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeyUse {
    /// Not at all: the call requires a signed-in person.
    Person,
    /// With this scope.
    With(Scope),
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
    /// What an API key needs to make it.
    pub key_use: KeyUse,
    /// Whether it moves money or grants access: with two-factor authentication, it requires a recently entered code.
    pub asks_again: bool,
    /// Whether its body is a file, which takes longer to receive than a form.
    pub is_upload: bool,
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

    /// Whether it changes anything, or reveals a secret that only write scopes may read: made with a key, it is recorded in the security
    /// log.
    pub fn is_change(&self) -> bool {
        let verb = self.name.split_once('/').map_or(self.name, |(_, verb)| verb);
        match self.key_use {
            Person => false,
            KeyUse::With(ReadProxies | ReadTraffic | ReadBilling | ReadAccount) => false,
            KeyUse::With(WriteProxies | WriteTraffic | WriteBilling | WriteAccount) => true,
            KeyUse::With(Operate) => !["Get", "Preview"].iter().any(|read| verb.starts_with(read)),
        }
    }
}

/// Public calls: sign-in, sign-up, and public settings.
const fn public(name: &'static str) -> Call {
    Call {
        name,
        method: Method::Post,
        access: Access::Public,
        while_suspended: true,
        key_use: Person,
        asks_again: false,
        is_upload: false,
    }
}

/// Calls for accounts that are not suspended, and for keys with the scope.
const fn own(name: &'static str, scope: Scope) -> Call {
    Call { access: Access::SignedIn, while_suspended: false, key_use: KeyUse::With(scope), ..public(name) }
}

/// Calls that suspended accounts may make too: reading billing and their own data, support, and signing out.
const fn even_suspended(name: &'static str, scope: Scope) -> Call {
    Call { while_suspended: true, ..own(name, scope) }
}

const fn operator(name: &'static str) -> Call {
    Call { access: Access::Operator, ..own(name, Operate) }
}

/// Calls that only a signed-in person may make, never a key.
const fn in_person(call: Call) -> Call {
    Call { key_use: Person, ..call }
}

/// Calls that move money or grant access.
const fn asking(call: Call) -> Call {
    Call { asks_again: true, ..call }
}

/// Calls whose body is a file (`multipart/form-data`).
const fn uploading(call: Call) -> Call {
    Call { is_upload: true, ..call }
}

const fn get(call: Call) -> Call {
    Call { method: Method::Get, ..call }
}

/// Sorted by name, bytewise.
const CALLS: &[Call] = &[
    in_person(asking(own("ApiKeys/AddApiKey", WriteAccount))),
    in_person(asking(own("ApiKeys/EditApiKey", WriteAccount))),
    own("ApiKeys/GetApiKeyList", ReadAccount),
    in_person(asking(own("ApiKeys/RevokeApiKey", WriteAccount))),
    even_suspended("Billing/GetInvoice", ReadBilling),
    even_suspended("Billing/GetInvoiceList", ReadBilling),
    even_suspended("Billing/GetInvoicePdf", ReadBilling),
    own("Endpoints/CreateUrl", WriteTraffic),
    own("Endpoints/DeletePreset", WriteTraffic),
    own("Endpoints/GetPresetList", ReadTraffic),
    own("Endpoints/GetServerList", ReadTraffic),
    own("Endpoints/GetUrlList", ReadTraffic),
    own("Endpoints/RevokeUrl", WriteTraffic),
    own("Endpoints/SavePreset", WriteTraffic),
    own("Ips/AddToGroup", WriteProxies),
    own("Ips/AddUserPlanGroup", WriteProxies),
    own("Ips/AddWhiteList", WriteProxies),
    own("Ips/ClearUserPlanGroup", WriteProxies),
    own("Ips/ClearUserPlanGroupAllNode", WriteProxies),
    own("Ips/DelWhite", WriteProxies),
    own("Ips/DeleteUserPlanGroup", WriteProxies),
    own("Ips/EditNodeNote", WriteProxies),
    own("Ips/EditUserPlanGroup", WriteProxies),
    own("Ips/ExportNodes", ReadProxies),
    own("Ips/ExportSwitchRecording", ReadProxies),
    own("Ips/GetCountryList", ReadProxies),
    own("Ips/GetMyPurchasableNodeList", ReadProxies),
    own("Ips/GetMyWhiteList", ReadProxies),
    own("Ips/GetServerNodeInventory", ReadProxies),
    own("Ips/GetServerVer", ReadProxies),
    own("Ips/GetUserNode", ReadProxies),
    own("Ips/GetUserNodeList", ReadProxies),
    own("Ips/GetUserPlanGroupList", ReadProxies),
    own("Ips/GetUserTargetList", ReadProxies),
    own("Ips/GetUserVerPlan", ReadProxies),
    asking(own("Ips/IpsNoneRenew", WriteBilling)),
    asking(own("Ips/IpsNoneRenewByPrice", WriteBilling)),
    own("Ips/MySpecifySwitchNode", WriteProxies),
    own("Ips/SetAutoRenew", WriteBilling),
    own("Ips/SwitchNode", WriteProxies),
    asking(own("Ips/SwitchNodeByUnitPrice", WriteBilling)),
    own("Ips/TestNode", ReadProxies),
    own("Ips/UpdateVerAuth", WriteProxies),
    own("Ips/UpdateVerUserPass", WriteProxies),
    own("Ips/UserEditNodeAccount", WriteProxies),
    own("Ips/UserGetNodeTable", ReadProxies),
    own("Ips/UserGetSwitchRecording", ReadProxies),
    own("Ips/UserGetTargetList", ReadProxies),
    own("Ips/UserGetVerAuth", ReadProxies),
    own("Ips/userGetUserVerPlan", ReadProxies),
    own("Notifications/GetNotificationList", ReadAccount),
    own("Notifications/GetSettings", ReadAccount),
    own("Notifications/GetUnread", ReadAccount),
    own("Notifications/MarkRead", WriteAccount),
    own("Notifications/SetSettings", WriteAccount),
    public("Notifications/Unsubscribe"),
    asking(operator("Operator/AddProxyServer")),
    asking(operator("Operator/AddReferralRule")),
    operator("Operator/CloseConversation"),
    operator("Operator/DeleteCannedAnswer"),
    operator("Operator/GetAccount"),
    operator("Operator/GetAccountList"),
    operator("Operator/GetAlarmList"),
    operator("Operator/GetCannedAnswerList"),
    operator("Operator/GetConversation"),
    operator("Operator/GetConversationList"),
    operator("Operator/GetOrder"),
    operator("Operator/GetOrderList"),
    operator("Operator/GetProxyServerList"),
    operator("Operator/GetReferralReviewList"),
    operator("Operator/GetReferralRuleList"),
    operator("Operator/GetRejectedUsageList"),
    operator("Operator/MarkConversationRead"),
    operator("Operator/PreviewRefund"),
    asking(operator("Operator/RefundOrder")),
    operator("Operator/RemoveProxyServer"),
    asking(operator("Operator/ReviewReferral")),
    asking(operator("Operator/RotateProxyServer")),
    operator("Operator/SaveCannedAnswer"),
    operator("Operator/SendReply"),
    asking(operator("Operator/SetAccountFlags")),
    asking(operator("Operator/SetAccountState")),
    asking(operator("Operator/SetAccountTerms")),
    in_person(operator("Operator/WaitForConversations")),
    own("Order/CancelOrder", WriteBilling),
    own("Order/CheckCoupon", ReadBilling),
    asking(own("Order/CreateOrder", WriteBilling)),
    operator("Order/GetCallbackList"),
    own("Order/GetHoldLimit", ReadBilling),
    even_suspended("Order/GetOrder", ReadBilling),
    even_suspended("Order/GetOrderList", ReadBilling),
    even_suspended("Order/GetPayment", ReadBilling),
    even_suspended("Order/GetPaymentMethodList", ReadBilling),
    even_suspended("Order/GetUnpaidOrderList", ReadBilling),
    asking(own("Order/PayOrder", WriteBilling)),
    own("Order/QuoteOrder", ReadBilling),
    asking(operator("Order/SettlePayment")),
    own("ProxyUsers/AddProxyUser", WriteTraffic),
    own("ProxyUsers/AddProxyUserAddress", WriteTraffic),
    own("ProxyUsers/ChangeProxyUserPassword", WriteTraffic),
    own("ProxyUsers/DelProxyUserAddress", WriteTraffic),
    own("ProxyUsers/DeleteProxyUsers", WriteTraffic),
    own("ProxyUsers/EditProxyUser", WriteTraffic),
    own("ProxyUsers/ExportProxyUsers", ReadTraffic),
    own("ProxyUsers/GetProxyUserAddressList", ReadTraffic),
    own("ProxyUsers/GetProxyUserList", ReadTraffic),
    own("ProxyUsers/ImportProxyUsers", WriteTraffic),
    own("ProxyUsers/PauseProxyUsers", WriteTraffic),
    own("ProxyUsers/ResetProxyUsers", WriteTraffic),
    own("ProxyUsers/ResumeProxyUsers", WriteTraffic),
    own("ProxyUsers/RevealProxyUserPassword", WriteTraffic),
    own("Referrals/GetCommissionList", ReadAccount),
    own("Referrals/GetReferrals", ReadAccount),
    own("Referrals/GetReferredList", ReadAccount),
    asking(own("Referrals/MoveToWallet", WriteBilling)),
    even_suspended("Support/GetAttachment", ReadAccount),
    even_suspended("Support/GetConversation", ReadAccount),
    even_suspended("Support/GetUnread", ReadAccount),
    even_suspended("Support/MarkRead", WriteAccount),
    even_suspended("Support/SendMessage", WriteAccount),
    uploading(even_suspended("Support/UploadAttachment", WriteAccount)),
    in_person(even_suspended("Support/WaitForMessages", ReadAccount)),
    get(public("SystemSettings/GetClientIp")),
    get(public("SystemSettings/GetPublicConfig")),
    asking(own("Traffic/CreateTrafficOrder", WriteBilling)),
    own("Traffic/GetTraffic", ReadTraffic),
    own("Traffic/GetTrafficCatalogue", ReadTraffic),
    own("Traffic/QuoteTraffic", ReadTraffic),
    asking(own("Traffic/SetReorder", WriteBilling)),
    own("Usage/ExportUsage", ReadTraffic),
    own("Usage/GetUsage", ReadTraffic),
    in_person(own("User/BeginTwoFactor", WriteAccount)),
    in_person(own("User/ChangePassword", WriteAccount)),
    in_person(own("User/CloseAccount", WriteAccount)),
    public("User/ConfirmEmailChange"),
    in_person(own("User/ConfirmTwoFactor", WriteAccount)),
    own("User/DeleteAvatar", WriteAccount),
    in_person(asking(even_suspended("User/ExportData", WriteAccount))),
    even_suspended("User/GetAccountDetails", ReadAccount),
    get(even_suspended("User/GetAvatar", ReadAccount)),
    even_suspended("User/GetCenter", ReadAccount),
    in_person(even_suspended("User/GetSecurityLog", ReadAccount)),
    in_person(even_suspended("User/GetSessionList", ReadAccount)),
    in_person(even_suspended("User/GetTwoFactor", ReadAccount)),
    even_suspended("User/GetUserInfo", ReadAccount),
    even_suspended("User/GetWallet", ReadBilling),
    public("User/Login"),
    in_person(even_suspended("User/Logout", WriteAccount)),
    in_person(own("User/ReplaceRecoveryCodes", WriteAccount)),
    in_person(asking(own("User/RequestEmailChange", WriteAccount))),
    public("User/RequestPasswordReset"),
    public("User/ResetPassword"),
    in_person(own("User/RevokeOtherSessions", WriteAccount)),
    in_person(own("User/RevokeSession", WriteAccount)),
    in_person(asking(own("User/RotateAccessToken", WriteAccount))),
    public("User/SignUp"),
    public("User/StopEmailChange"),
    in_person(own("User/TurnOffTwoFactor", WriteAccount)),
    in_person(own("User/TurnOnTwoFactor", WriteAccount)),
    own("User/UpdateAccountDetails", WriteAccount),
    own("User/UpdatePreferences", WriteAccount),
    uploading(own("User/UploadAvatar", WriteAccount)),
    public("User/VerifyEmail"),
    asking(own("Wallet/CreateTopUp", WriteBilling)),
    even_suspended("Wallet/ExportTransactions", ReadBilling),
    own("Wallet/ForgetCard", WriteBilling),
    even_suspended("Wallet/GetAutoTopUp", ReadBilling),
    even_suspended("Wallet/GetCardRequest", ReadBilling),
    even_suspended("Wallet/GetLowBalanceAlert", ReadBilling),
    even_suspended("Wallet/GetMonthlyExpenses", ReadBilling),
    even_suspended("Wallet/GetTransactionList", ReadBilling),
    asking(own("Wallet/RememberCard", WriteBilling)),
    asking(own("Wallet/SetAutoTopUp", WriteBilling)),
    own("Wallet/SetLowBalanceAlert", WriteBilling),
    own("Webhooks/AddWebhook", WriteAccount),
    own("Webhooks/DeleteWebhook", WriteAccount),
    own("Webhooks/EditWebhook", WriteAccount),
    own("Webhooks/EnableWebhook", WriteAccount),
    own("Webhooks/GetDelivery", ReadAccount),
    own("Webhooks/GetDeliveryList", ReadAccount),
    own("Webhooks/GetWebhookList", ReadAccount),
    own("Webhooks/ResendDelivery", WriteAccount),
    own("Webhooks/RotateWebhookSecret", WriteAccount),
    own("Webhooks/SendTestEvent", WriteAccount),
    own("Welcome/GetOverview", ReadProxies),
];

/// The whole table, sorted by name.
pub fn calls() -> &'static [Call] {
    CALLS
}

/// The call with exactly this name; the spelling must match.
pub fn find(name: &str) -> Option<&'static Call> {
    CALLS.binary_search_by(|call| call.name.cmp(name)).ok().map(|index| &CALLS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_by_its_exact_name_only() {
        assert!(CALLS.is_sorted_by(|one, next| one.name < next.name), "binary search needs a sorted table");
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
    fn operator_calls_are_open_to_operators_only() {
        let of_operators: Vec<_> = CALLS.iter().filter(|call| call.access == Access::Operator).collect();
        assert!(of_operators.len() > 15, "{}", of_operators.len());
        for call in of_operators {
            assert!(!call.is_open_to(Level::Customer, false) && !call.is_open_to(Level::Reseller, false), "{call:?}");
            assert!(call.is_open_to(Level::Operator, false) && !call.is_open_to(Level::Operator, true), "{call:?}");
        }
        for call in CALLS.iter().filter(|call| call.name.starts_with("Operator/")) {
            assert_eq!(call.access, Access::Operator, "{}", call.name);
        }
    }

    #[test]
    fn operator_calls_need_the_operator_scope_and_spending_calls_require_a_code() {
        for call in CALLS {
            let is_for_operators = call.key_use == KeyUse::With(Operate);
            assert_eq!(call.access == Access::Operator && call.key_use != Person, is_for_operators, "{call:?}");
            assert!(call.access != Access::Public || (call.key_use == Person && !call.asks_again), "{call:?}");
            let is_read = matches!(call.key_use, KeyUse::With(ReadProxies | ReadTraffic | ReadBilling | ReadAccount));
            assert!(!(is_read && call.asks_again), "{call:?}");
        }
        for name in ["Order/PayOrder", "Order/CreateOrder", "Traffic/CreateTrafficOrder", "Wallet/CreateTopUp"] {
            assert!(find(name).expect("a call").asks_again, "{name}");
        }
    }

    #[test]
    fn changes_made_with_a_key_are_logged_and_reads_are_not() {
        let is_change = |name| find(name).expect("a call").is_change();
        for name in
            ["Order/CreateOrder", "Ips/EditNodeNote", "ProxyUsers/RevealProxyUserPassword", "Operator/RefundOrder"]
        {
            assert!(is_change(name), "{name}");
        }
        for name in
            ["Order/GetOrderList", "Usage/ExportUsage", "Operator/GetAccount", "Operator/PreviewRefund", "User/Login"]
        {
            assert!(!is_change(name), "{name}");
        }
    }

    #[test]
    fn a_suspended_account_can_read_its_billing_but_move_nothing() {
        let left: Vec<_> =
            CALLS.iter().filter(|call| call.access == Access::SignedIn && call.while_suspended).collect();
        for call in left {
            let (group, name) = call.name.split_once('/').expect("a group and a name");
            let is_reading = ["Get", "Export"].iter().any(|verb| name.starts_with(verb));
            assert!(is_reading || name == "Logout" || group == "Support", "{}", call.name);
            assert!(!call.name.starts_with("Ips/"), "{}", call.name);
        }
        for name in ["Order/CreateOrder", "Order/PayOrder", "Wallet/CreateTopUp", "Ips/GetUserNodeList"] {
            assert!(!find(name).expect("a call").is_open_to(Level::Customer, true), "{name}");
        }
    }
}
