//! Why a connection is refused, and how each protocol says so.
use fast_socks5::ReplyError;
use hyper::StatusCode;
use postern_core::usage::Refused;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// The shop refuses the user, or the client's address.
    Access(Refused),
    /// The shop does not answer, and did not allow this connection before.
    ShopAway,
    /// The request is not one that a proxy can carry out.
    Malformed,
    /// The request's parts contradict each other.
    Ambiguous,
    /// Only tunnels and plain HTTP are carried.
    Unsupported,
    PortNotAllowed,
    DomainNotAllowed,
    /// The destination is on a private network.
    PrivateDestination,
    UnknownHost,
    /// The destination has only addresses of the other family.
    OtherFamily,
    Unreachable,
    ConnectionRefused,
    Timeout,
    /// The destination broke the connection, or did not speak HTTP.
    BrokenAnswer,
    /// No upstream could be reached.
    NoUpstream,
}

impl Refusal {
    /// The reason as a word: in `X-Proxy-Error`, in metrics and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::Access(reason) => reason.as_str(),
            Refusal::ShopAway => "shop_away",
            Refusal::Malformed => "malformed_request",
            Refusal::Ambiguous => "ambiguous_request",
            Refusal::Unsupported => "unsupported",
            Refusal::PortNotAllowed => "port_not_allowed",
            Refusal::DomainNotAllowed => "domain_not_allowed",
            Refusal::PrivateDestination => "private_destination",
            Refusal::UnknownHost => "unknown_host",
            Refusal::OtherFamily => "other_address_family",
            Refusal::Unreachable => "unreachable",
            Refusal::ConnectionRefused => "connection_refused",
            Refusal::Timeout => "timeout",
            Refusal::BrokenAnswer => "broken_answer",
            Refusal::NoUpstream => "no_upstream",
        }
    }

    pub fn status(self) -> StatusCode {
        use Refused as R;
        match self {
            Refusal::Access(R::UnknownUser | R::WrongPassword | R::AddressShared | R::TooManyAttempts) => {
                StatusCode::PROXY_AUTHENTICATION_REQUIRED
            }
            Refusal::Access(R::TooManyConnections) => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Access(_) | Refusal::PortNotAllowed | Refusal::DomainNotAllowed | Refusal::PrivateDestination => {
                StatusCode::FORBIDDEN
            }
            Refusal::ShopAway => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Malformed | Refusal::Ambiguous => StatusCode::BAD_REQUEST,
            Refusal::Unsupported => StatusCode::NOT_IMPLEMENTED,
            Refusal::Timeout => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        }
    }

    /// What happened, and what to do about it.
    pub fn text(self) -> &'static str {
        match self {
            Refusal::Access(reason) => access_text(reason),
            Refusal::ShopAway => "The shop that sold this proxy does not answer at the moment. Try again in a minute.",
            Refusal::Malformed => {
                "This is not a request to a proxy. Send CONNECT host:port, or a whole address such as http://example.com/."
            }
            Refusal::Ambiguous => "The headers of this request contradict each other.",
            Refusal::Unsupported => "This proxy carries plain HTTP and tunnels (CONNECT), and nothing else.",
            Refusal::PortNotAllowed => "This proxy does not connect to this port.",
            Refusal::DomainNotAllowed => "This proxy does not connect to this site.",
            Refusal::PrivateDestination => "This proxy does not connect to private networks.",
            Refusal::UnknownHost => "The destination's name does not exist. Check its spelling.",
            Refusal::OtherFamily => "The destination has no address of the kind (IPv4 or IPv6) that this proxy has.",
            Refusal::Unreachable => "The destination cannot be reached.",
            Refusal::ConnectionRefused => "The destination refuses connections to this port.",
            Refusal::Timeout => "The destination does not answer.",
            Refusal::BrokenAnswer => "The destination broke the connection, or does not speak HTTP.",
            Refusal::NoUpstream => "No exit is available for this request at the moment. Try again in a minute.",
        }
    }

    pub fn socks_reply(self) -> ReplyError {
        match self {
            Refusal::Access(_) | Refusal::PortNotAllowed | Refusal::DomainNotAllowed | Refusal::PrivateDestination => {
                ReplyError::ConnectionNotAllowed
            }
            Refusal::UnknownHost | Refusal::OtherFamily | Refusal::Unreachable | Refusal::Timeout => {
                ReplyError::HostUnreachable
            }
            Refusal::ConnectionRefused => ReplyError::ConnectionRefused,
            Refusal::Unsupported => ReplyError::CommandNotSupported,
            _ => ReplyError::GeneralFailure,
        }
    }
}

fn access_text(reason: Refused) -> &'static str {
    match reason {
        Refused::UnknownUser => {
            "Send the user name and password of a proxy, or add the address you connect from to the whitelist."
        }
        Refused::WrongPassword => "The password is wrong. Copy it again from the list of proxies.",
        Refused::Paused => "This proxy user is paused. Resume it in the list of proxy users.",
        Refused::Exhausted => "This proxy user has used up its limit. Raise the limit to go on.",
        Refused::Expired => "This proxy has expired. Renew it to go on.",
        Refused::NoTraffic => "There is no traffic left. Buy more to go on.",
        Refused::CountryNotAllowed => "This proxy user may not use this country. Choose another one.",
        Refused::Malformed => "The user name is malformed. Copy it again from the generator.",
        Refused::Suspended => "This account is suspended. Contact support.",
        Refused::TooManyConnections => {
            "This proxy has as many connections open as it may have. Close some; the limit of a proxy user can be raised, too."
        }
        Refused::OtherServer => "This address is carried by another proxy server. Contact support.",
        Refused::AddressShared => {
            "Several accounts have whitelisted the address you connect from. Send a user name and password."
        }
        Refused::AddressNotListed => {
            "Only whitelisted addresses may use this proxy. Add the address you connect from to the whitelist."
        }
        Refused::TooManyAttempts => {
            "Too many wrong passwords were tried from your address. Wait a quarter of an hour, then send the right one."
        }
    }
}
