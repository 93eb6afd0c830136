//! The table of all API calls and who may make them. The server's routes are exactly these (a unit test compares them), and a request for
//! a call that is not in it is refused (specification, section 7; permission levels, section 6).
mod rules;

use crate::wire_enum::wire_enum;
use KeyUse::SignedInOnly;
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
    SignedInOnly,
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
    pub requires_confirmation: bool,
    /// Whether its body is a file, which takes longer to receive than a form.
    pub is_upload: bool,
    /// Whether a request may have an `Idempotency-Key`: repeated with it, it gets the stored answer before any other check.
    pub takes_key: bool,
}

/// Public calls: sign-in, sign-up, and public settings.
const fn public(name: &'static str) -> Call {
    Call {
        name,
        method: Method::Post,
        access: Access::Public,
        while_suspended: true,
        key_use: SignedInOnly,
        requires_confirmation: false,
        is_upload: false,
        takes_key: false,
    }
}

/// Calls for accounts that are not suspended, and for keys with the scope.
const fn signed_in(name: &'static str, scope: Scope) -> Call {
    Call { access: Access::SignedIn, while_suspended: false, key_use: KeyUse::With(scope), ..public(name) }
}

/// Calls that suspended accounts may make too: reading billing and their own data, support, and signing out.
const fn while_suspended(name: &'static str, scope: Scope) -> Call {
    Call { while_suspended: true, ..signed_in(name, scope) }
}

const fn operator(name: &'static str) -> Call {
    Call { access: Access::Operator, ..signed_in(name, Operate) }
}

/// Calls that only a signed-in person may make, never a key.
const fn in_person(call: Call) -> Call {
    Call { key_use: SignedInOnly, ..call }
}

/// Calls that move money or grant access.
const fn confirmed(call: Call) -> Call {
    Call { requires_confirmation: true, ..call }
}

/// Calls whose body is a file (`multipart/form-data`).
const fn uploading(call: Call) -> Call {
    Call { is_upload: true, ..call }
}

/// Calls that create or move something: repeated with the same `Idempotency-Key`, they do it once.
const fn keyed(call: Call) -> Call {
    Call { takes_key: true, ..call }
}

const fn get(call: Call) -> Call {
    Call { method: Method::Get, ..call }
}

/// Sorted by name, bytewise.
const CALLS: &[Call] = &[
    keyed(in_person(confirmed(signed_in("ApiKeys/AddApiKey", WriteAccount)))),
    keyed(in_person(confirmed(signed_in("ApiKeys/EditApiKey", WriteAccount)))),
    signed_in("ApiKeys/GetApiKeyList", ReadAccount),
    keyed(in_person(confirmed(signed_in("ApiKeys/RevokeApiKey", WriteAccount)))),
    while_suspended("Billing/ExportInvoices", ReadBilling),
    while_suspended("Billing/GetInvoice", ReadBilling),
    while_suspended("Billing/GetInvoiceList", ReadBilling),
    while_suspended("Billing/GetInvoicePdf", ReadBilling),
    while_suspended("Billing/GetReceiptPdf", ReadBilling),
    keyed(signed_in("Endpoints/CreateUrl", WriteTraffic)),
    signed_in("Endpoints/DeletePreset", WriteTraffic),
    signed_in("Endpoints/GetPresetList", ReadTraffic),
    signed_in("Endpoints/GetServerList", ReadTraffic),
    signed_in("Endpoints/GetServerStatusList", ReadTraffic),
    signed_in("Endpoints/GetUrlList", ReadTraffic),
    signed_in("Endpoints/RevokeUrl", WriteTraffic),
    signed_in("Endpoints/SavePreset", WriteTraffic),
    signed_in("Endpoints/TestEndpoint", ReadTraffic),
    signed_in("Ips/AddToGroup", WriteProxies),
    keyed(signed_in("Ips/AddUserPlanGroup", WriteProxies)),
    keyed(signed_in("Ips/AddWhiteList", WriteProxies)),
    signed_in("Ips/ClearUserPlanGroup", WriteProxies),
    signed_in("Ips/ClearUserPlanGroupAllNode", WriteProxies),
    signed_in("Ips/DelWhite", WriteProxies),
    signed_in("Ips/DeleteUserPlanGroup", WriteProxies),
    signed_in("Ips/EditNodeNote", WriteProxies),
    signed_in("Ips/EditUserPlanGroup", WriteProxies),
    signed_in("Ips/ExportNodes", ReadProxies),
    signed_in("Ips/ExportSwitchRecording", ReadProxies),
    signed_in("Ips/GetCountryList", ReadProxies),
    signed_in("Ips/GetMyPurchasableNodeList", ReadProxies),
    signed_in("Ips/GetMyWhiteList", ReadProxies),
    signed_in("Ips/GetServerNodeInventory", ReadProxies),
    signed_in("Ips/GetServerVer", ReadProxies),
    signed_in("Ips/GetUserNode", ReadProxies),
    signed_in("Ips/GetUserNodeList", ReadProxies),
    signed_in("Ips/GetUserPlanGroupList", ReadProxies),
    signed_in("Ips/GetUserTargetList", ReadProxies),
    signed_in("Ips/GetUserVerPlan", ReadProxies),
    keyed(confirmed(signed_in("Ips/IpsNoneRenew", WriteBilling))),
    confirmed(signed_in("Ips/IpsNoneRenewByPrice", WriteBilling)),
    keyed(confirmed(signed_in("Ips/MySpecifySwitchNode", WriteBilling))),
    signed_in("Ips/SetAutoRenew", WriteBilling),
    keyed(signed_in("Ips/SwitchNode", WriteProxies)),
    keyed(confirmed(signed_in("Ips/SwitchNodeByUnitPrice", WriteBilling))),
    signed_in("Ips/TestNode", ReadProxies),
    signed_in("Ips/UpdateVerAuth", WriteProxies),
    signed_in("Ips/UpdateVerUserPass", WriteProxies),
    signed_in("Ips/UserEditNodeAccount", WriteProxies),
    signed_in("Ips/UserGetNodeTable", ReadProxies),
    signed_in("Ips/UserGetSwitchRecording", ReadProxies),
    signed_in("Ips/UserGetTargetList", ReadProxies),
    signed_in("Ips/UserGetVerAuth", ReadProxies),
    signed_in("Ips/userGetUserVerPlan", ReadProxies),
    signed_in("Notifications/GetNotificationList", ReadAccount),
    signed_in("Notifications/GetSettings", ReadAccount),
    signed_in("Notifications/GetUnread", ReadAccount),
    signed_in("Notifications/MarkRead", WriteAccount),
    signed_in("Notifications/SetSettings", WriteAccount),
    public("Notifications/Unsubscribe"),
    keyed(confirmed(operator("Operator/AddCoupon"))),
    keyed(confirmed(operator("Operator/AddProxyServer"))),
    keyed(confirmed(operator("Operator/AddReferralRule"))),
    keyed(confirmed(operator("Operator/AdjustWallet"))),
    operator("Operator/AssignNodes"),
    operator("Operator/CancelPriceChange"),
    keyed(confirmed(operator("Operator/ChangePrice"))),
    keyed(confirmed(operator("Operator/CloseAccount"))),
    operator("Operator/CloseConversation"),
    operator("Operator/ClosePaymentCase"),
    operator("Operator/DeleteAnnouncement"),
    operator("Operator/DeleteCannedAnswer"),
    operator("Operator/DeleteUseCase"),
    operator("Operator/EditNodes"),
    operator("Operator/EndCoupon"),
    operator("Operator/ExamineShop"),
    operator("Operator/ExportAuditLog"),
    operator("Operator/ExportInventory"),
    operator("Operator/ExportInvoices"),
    operator("Operator/GetAccount"),
    operator("Operator/GetAccountList"),
    operator("Operator/GetAlarmList"),
    operator("Operator/GetAnnouncementList"),
    operator("Operator/GetAuditLog"),
    operator("Operator/GetBackupList"),
    operator("Operator/GetBusiness"),
    operator("Operator/GetCannedAnswerList"),
    operator("Operator/GetConversation"),
    operator("Operator/GetConversationList"),
    operator("Operator/GetCouponList"),
    operator("Operator/GetDisputeEvidence"),
    operator("Operator/GetExchangeRateList"),
    operator("Operator/GetInventory"),
    operator("Operator/GetInvoiceList"),
    operator("Operator/GetJobList"),
    operator("Operator/GetLegalText"),
    operator("Operator/GetLegalTextList"),
    operator("Operator/GetLimits"),
    operator("Operator/GetMailList"),
    operator("Operator/GetOrder"),
    operator("Operator/GetOrderList"),
    operator("Operator/GetPaymentCaseList"),
    operator("Operator/GetPaymentList"),
    operator("Operator/GetPaymentReturnList"),
    operator("Operator/GetPrices"),
    operator("Operator/GetProxyServerList"),
    operator("Operator/GetReferralReviewList"),
    operator("Operator/GetReferralRuleList"),
    operator("Operator/GetRejectedUsageList"),
    operator("Operator/GetSetupStepList"),
    operator("Operator/GetStock"),
    operator("Operator/GetTaskList"),
    operator("Operator/GetTransactionList"),
    operator("Operator/GetUseCaseList"),
    uploading(operator("Operator/ImportNodes")),
    operator("Operator/MarkConversationRead"),
    uploading(operator("Operator/PreviewImport")),
    operator("Operator/PreviewMail"),
    operator("Operator/PreviewRefund"),
    keyed(confirmed(operator("Operator/PublishLegalText"))),
    keyed(confirmed(operator("Operator/RefundOrder"))),
    keyed(operator("Operator/RemoveProxyServer")),
    keyed(confirmed(operator("Operator/ReplaceNode"))),
    confirmed(operator("Operator/ReplayCallback")),
    keyed(confirmed(operator("Operator/RequestEmailChange"))),
    operator("Operator/ResendMails"),
    operator("Operator/RestoreNodes"),
    operator("Operator/RetireNodes"),
    keyed(confirmed(operator("Operator/ReviewReferral"))),
    keyed(confirmed(operator("Operator/RotateProxyServer"))),
    operator("Operator/SaveAccountNote"),
    keyed(confirmed(operator("Operator/SaveAnnouncement"))),
    operator("Operator/SaveCannedAnswer"),
    keyed(operator("Operator/SaveUseCase")),
    keyed(operator("Operator/SendReply")),
    keyed(confirmed(operator("Operator/SetAccountFlags"))),
    keyed(confirmed(operator("Operator/SetAccountState"))),
    keyed(confirmed(operator("Operator/SetAccountTerms"))),
    keyed(confirmed(operator("Operator/SetExchangeRate"))),
    operator("Operator/SetHoldStep"),
    operator("Operator/SetLimit"),
    keyed(confirmed(operator("Operator/SettleRefund"))),
    keyed(confirmed(operator("Operator/TurnOffTwoFactor"))),
    in_person(confirmed(operator("Operator/ViewAsCustomer"))),
    in_person(operator("Operator/WaitForConversations")),
    keyed(signed_in("Order/CancelOrder", WriteBilling)),
    signed_in("Order/CheckCoupon", ReadBilling),
    in_person(confirmed(signed_in("Order/ClaimRefund", WriteBilling))),
    keyed(confirmed(signed_in("Order/CreateOrder", WriteBilling))),
    while_suspended("Order/ExportOrders", ReadBilling),
    operator("Order/GetCallbackList"),
    signed_in("Order/GetHoldLimit", ReadBilling),
    while_suspended("Order/GetOrder", ReadBilling),
    while_suspended("Order/GetOrderList", ReadBilling),
    while_suspended("Order/GetPayment", ReadBilling),
    while_suspended("Order/GetPaymentMethodList", ReadBilling),
    while_suspended("Order/GetUnpaidOrderList", ReadBilling),
    keyed(confirmed(signed_in("Order/PayOrder", WriteBilling))),
    signed_in("Order/QuoteOrder", ReadBilling),
    keyed(confirmed(operator("Order/SettlePayment"))),
    keyed(signed_in("ProxyUsers/AddProxyUser", WriteTraffic)),
    keyed(signed_in("ProxyUsers/AddProxyUserAddress", WriteTraffic)),
    keyed(signed_in("ProxyUsers/ChangeProxyUserPassword", WriteTraffic)),
    signed_in("ProxyUsers/DelProxyUserAddress", WriteTraffic),
    signed_in("ProxyUsers/DeleteProxyUsers", WriteTraffic),
    signed_in("ProxyUsers/EditProxyUser", WriteTraffic),
    signed_in("ProxyUsers/ExportProxyUsers", WriteTraffic),
    signed_in("ProxyUsers/GetProxyUserAddressList", ReadTraffic),
    signed_in("ProxyUsers/GetProxyUserList", ReadTraffic),
    keyed(signed_in("ProxyUsers/ImportProxyUsers", WriteTraffic)),
    signed_in("ProxyUsers/PauseProxyUsers", WriteTraffic),
    signed_in("ProxyUsers/ResetProxyUsers", WriteTraffic),
    signed_in("ProxyUsers/ResumeProxyUsers", WriteTraffic),
    signed_in("ProxyUsers/RevealProxyUserPassword", WriteTraffic),
    signed_in("Referrals/GetCommissionList", ReadAccount),
    signed_in("Referrals/GetReferrals", ReadAccount),
    signed_in("Referrals/GetReferredList", ReadAccount),
    keyed(confirmed(signed_in("Referrals/MoveToWallet", WriteBilling))),
    while_suspended("Support/GetAttachment", ReadAccount),
    while_suspended("Support/GetConversation", ReadAccount),
    while_suspended("Support/GetUnread", ReadAccount),
    while_suspended("Support/MarkRead", WriteAccount),
    keyed(while_suspended("Support/SendMessage", WriteAccount)),
    keyed(uploading(while_suspended("Support/UploadAttachment", WriteAccount))),
    in_person(while_suspended("Support/WaitForMessages", ReadAccount)),
    while_suspended("SystemSettings/GetAnnouncementList", ReadAccount),
    get(public("SystemSettings/GetClientIp")),
    public("SystemSettings/GetLegalText"),
    get(public("SystemSettings/GetPublicConfig")),
    keyed(confirmed(signed_in("Traffic/CreateTrafficOrder", WriteBilling))),
    signed_in("Traffic/GetTraffic", ReadTraffic),
    signed_in("Traffic/GetTrafficCatalogue", ReadTraffic),
    signed_in("Traffic/QuoteTraffic", ReadTraffic),
    keyed(confirmed(signed_in("Traffic/SetReorder", WriteBilling))),
    signed_in("Usage/ExportUsage", ReadTraffic),
    signed_in("Usage/GetUsage", ReadTraffic),
    in_person(while_suspended("User/AcceptTexts", WriteAccount)),
    keyed(in_person(signed_in("User/BeginTwoFactor", WriteAccount))),
    in_person(confirmed(signed_in("User/ChangePassword", WriteAccount))),
    in_person(signed_in("User/CloseAccount", WriteAccount)),
    public("User/ConfirmEmailChange"),
    in_person(while_suspended("User/ConfirmTwoFactor", WriteAccount)),
    signed_in("User/DeleteAvatar", WriteAccount),
    in_person(confirmed(while_suspended("User/ExportData", WriteAccount))),
    while_suspended("User/GetAccountDetails", ReadAccount),
    get(while_suspended("User/GetAvatar", ReadAccount)),
    while_suspended("User/GetCenter", ReadAccount),
    in_person(while_suspended("User/GetSecurityLog", ReadAccount)),
    in_person(while_suspended("User/GetSessionList", ReadAccount)),
    in_person(while_suspended("User/GetTwoFactor", ReadAccount)),
    while_suspended("User/GetUserInfo", ReadAccount),
    while_suspended("User/GetWallet", ReadBilling),
    public("User/Login"),
    in_person(while_suspended("User/Logout", WriteAccount)),
    keyed(in_person(signed_in("User/ReplaceRecoveryCodes", WriteAccount))),
    in_person(confirmed(signed_in("User/RequestEmailChange", WriteAccount))),
    public("User/RequestPasswordReset"),
    public("User/ResetPassword"),
    in_person(confirmed(signed_in("User/RevealAccessToken", WriteAccount))),
    keyed(in_person(confirmed(signed_in("User/RevokeAccessToken", WriteAccount)))),
    in_person(signed_in("User/RevokeOtherSessions", WriteAccount)),
    keyed(in_person(signed_in("User/RevokeSession", WriteAccount))),
    keyed(in_person(confirmed(signed_in("User/RotateAccessToken", WriteAccount)))),
    public("User/SignUp"),
    public("User/StopEmailChange"),
    in_person(signed_in("User/TurnOffTwoFactor", WriteAccount)),
    keyed(in_person(signed_in("User/TurnOnTwoFactor", WriteAccount))),
    keyed(signed_in("User/UpdateAccountDetails", WriteAccount)),
    keyed(signed_in("User/UpdatePreferences", WriteAccount)),
    uploading(signed_in("User/UploadAvatar", WriteAccount)),
    public("User/VerifyEmail"),
    keyed(confirmed(signed_in("Wallet/CreateTopUp", WriteBilling))),
    while_suspended("Wallet/ExportTransactions", ReadBilling),
    keyed(signed_in("Wallet/ForgetCard", WriteBilling)),
    while_suspended("Wallet/GetAutoTopUp", ReadBilling),
    while_suspended("Wallet/GetCardRequest", ReadBilling),
    while_suspended("Wallet/GetLowBalanceAlert", ReadBilling),
    while_suspended("Wallet/GetMonthlyExpenses", ReadBilling),
    while_suspended("Wallet/GetTransactionList", ReadBilling),
    keyed(confirmed(signed_in("Wallet/RememberCard", WriteBilling))),
    keyed(confirmed(signed_in("Wallet/SetAutoTopUp", WriteBilling))),
    keyed(signed_in("Wallet/SetLowBalanceAlert", WriteBilling)),
    keyed(signed_in("Webhooks/AddWebhook", WriteAccount)),
    signed_in("Webhooks/DeleteWebhook", WriteAccount),
    signed_in("Webhooks/EditWebhook", WriteAccount),
    signed_in("Webhooks/EnableWebhook", WriteAccount),
    signed_in("Webhooks/GetDelivery", ReadAccount),
    signed_in("Webhooks/GetDeliveryList", ReadAccount),
    signed_in("Webhooks/GetWebhookList", ReadAccount),
    keyed(signed_in("Webhooks/ResendDelivery", WriteAccount)),
    keyed(signed_in("Webhooks/RotateWebhookSecret", WriteAccount)),
    keyed(signed_in("Webhooks/SendTestEvent", WriteAccount)),
    signed_in("Welcome/GetOverview", ReadProxies),
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
    use crate::permission::Level;
    use crate::staff::StaffRole;

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
            let open = |level, is_suspended| call.is_open_to(level, StaffRole::Operator, is_suspended);
            assert!(!open(Level::Customer, false) && !open(Level::Reseller, false), "{call:?}");
            assert!(open(Level::Operator, false) && !open(Level::Operator, true), "{call:?}");
        }
        for call in CALLS.iter().filter(|call| call.name.starts_with("Operator/")) {
            assert_eq!(call.access, Access::Operator, "{}", call.name);
        }
    }

    #[test]
    fn operator_calls_need_the_operator_scope_and_spending_calls_require_a_code() {
        for call in CALLS {
            let is_for_operators = call.key_use == KeyUse::With(Operate);
            assert_eq!(call.access == Access::Operator && call.key_use != SignedInOnly, is_for_operators, "{call:?}");
            assert!(
                call.access != Access::Public || (call.key_use == SignedInOnly && !call.requires_confirmation),
                "{call:?}"
            );
            let is_read = matches!(call.key_use, KeyUse::With(ReadProxies | ReadTraffic | ReadBilling | ReadAccount));
            assert!(!(is_read && call.requires_confirmation), "{call:?}");
        }
        for name in ["Order/PayOrder", "Order/CreateOrder", "Traffic/CreateTrafficOrder", "Wallet/CreateTopUp"] {
            assert!(find(name).expect("a call").requires_confirmation, "{name}");
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
            // A code confirms the session, so that it can export its data; new terms are asked of everyone.
            let is_own_session = ["Logout", "ConfirmTwoFactor", "AcceptTexts"].contains(&name);
            assert!(is_reading || is_own_session || group == "Support", "{}", call.name);
            assert!(!call.name.starts_with("Ips/"), "{}", call.name);
        }
        for name in ["Order/CreateOrder", "Order/PayOrder", "Wallet/CreateTopUp", "Ips/GetUserNodeList"] {
            assert!(!find(name).expect("a call").is_open_to(Level::Customer, StaffRole::Operator, true), "{name}");
        }
    }
}
