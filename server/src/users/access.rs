//! The table of everything that gives access to an account, and the function that ends it: for new passwords, recovered and closed accounts.
//! Suspending ends nothing, because it can be undone; admission refuses the credentials of a suspended account.
use crate::api_keys::queries as api_keys;
use crate::db::Conn;
use crate::endpoint_lists::queries as endpoint_lists;
use crate::error::AppError;
use crate::users::{devices, email_changes, queries, sessions, two_factor};
use crate::webhooks::lifecycle as webhooks;
use chrono::NaiveDateTime;
use postern_core::access::{AccessKind, Ended, Ending};

/// Whose access ends.
#[derive(Clone, Copy)]
pub struct Whose {
    pub account_id: i64,
    pub user_id: i64,
    /// A session that stays.
    pub but_session: Option<i64>,
    /// A second factor that was turned on earlier stays.
    pub since: Option<NaiveDateTime>,
}

struct Access {
    kind: AccessKind,
    /// The columns that hold its secrets, as `table.column`.
    #[cfg_attr(not(test), allow(dead_code))]
    columns: &'static [&'static str],
    end: fn(&mut Conn, &Whose, NaiveDateTime) -> Result<Option<Ended>, AppError>,
}

/// One row for each kind.
const TABLE: &[Access] = &[
    Access {
        kind: AccessKind::Session,
        columns: &["sessions.token_sha256"],
        end: |conn, whose, now| {
            let count = sessions::revoke_others(conn, whose.user_id, whose.but_session, now)?;
            Ok(Ended::counted(AccessKind::Session, count))
        },
    },
    Access {
        kind: AccessKind::KnownDevice,
        columns: &["known_devices.device_sha256"],
        end: |conn, whose, _| Ok(Ended::counted(AccessKind::KnownDevice, devices::forget_all(conn, whose.user_id)?)),
    },
    Access {
        kind: AccessKind::ResetLink,
        columns: &["password_resets.token_sha256"],
        end: |conn, whose, now| {
            Ok(Ended::counted(AccessKind::ResetLink, queries::use_up_resets(conn, whose.user_id, now)?))
        },
    },
    Access {
        kind: AccessKind::EmailChange,
        columns: &["email_changes.confirm_sha256"],
        end: |conn, whose, _| {
            Ok(Ended::named(AccessKind::EmailChange, &email_changes::end_waiting(conn, whose.user_id)?))
        },
    },
    Access {
        kind: AccessKind::ApiKey,
        columns: &["api_keys.key_sha256"],
        end: |conn, whose, now| {
            Ok(Ended::named(AccessKind::ApiKey, &api_keys::revoke_all(conn, whose.account_id, now)?))
        },
    },
    Access {
        kind: AccessKind::AccessToken,
        columns: &["api_keys.sealed_key"],
        end: |conn, whose, now| {
            let was_there = api_keys::revoke_access_token(conn, whose.account_id, now)?;
            Ok(Ended::single(AccessKind::AccessToken, was_there))
        },
    },
    Access {
        kind: AccessKind::ListUrl,
        columns: &["endpoint_lists.token_sha256"],
        end: |conn, whose, _| {
            Ok(Ended::named(AccessKind::ListUrl, &endpoint_lists::revoke_all_urls(conn, whose.account_id)?))
        },
    },
    Access {
        kind: AccessKind::Webhook,
        columns: &["webhooks.secret_sealed", "webhooks.old_secret_sealed"],
        end: |conn, whose, now| {
            Ok(Ended::named(AccessKind::Webhook, &webhooks::pause_all(conn, whose.account_id, now)?))
        },
    },
    Access {
        kind: AccessKind::SecondFactor,
        columns: &["two_factors.secret_sealed", "two_factors.recovery_salt", "recovery_codes.code_hash"],
        end: |conn, whose, _| {
            let was_on = two_factor::turn_off_since(conn, whose.user_id, whose.since)?;
            Ok(Ended::single(AccessKind::SecondFactor, was_on))
        },
    },
];

/// Ends what core's table says, and returns what was ended. The caller holds the user's lock.
pub fn end(conn: &mut Conn, whose: &Whose, ending: Ending, now: NaiveDateTime) -> Result<Vec<Ended>, AppError> {
    let mut ended = Vec::new();
    for access in TABLE.iter().filter(|access| access.kind.ends_with(ending)) {
        ended.extend((access.end)(conn, whose, now)?);
    }
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::tables;
    use std::collections::BTreeSet;

    /// Secrets that are not in the table, with the reason.
    const NO_ACCESS: &[(&str, &str)] = &[
        (
            "users.password_hash",
            "every ending but that of a closed account begins with another password; closing empties it",
        ),
        ("email_changes.stop_sha256", "the owner's way out: it ends access"),
        ("sign_ups.token_sha256", "there is no account yet"),
        ("sign_ups.password_hash", "there is no account yet"),
        ("mails.parameters_sealed", "the links of queued mails, whose hashes are in the table"),
        ("plans.password_sealed", PROXIES),
        ("plans.old_password_sealed", PROXIES),
        ("nodes.password_sealed", PROXIES),
        ("nodes.old_password_sealed", PROXIES),
        ("proxy_users.password_sealed", PROXIES),
        ("proxy_users.old_password_sealed", PROXIES),
        ("white_list.address", PROXIES),
        ("proxy_user_addresses.address", PROXIES),
        ("remembered_cards.reference_sealed", "pays into the wallet of its account and nowhere else"),
        ("proxy_servers.secret_sha256", "belongs to the shop"),
        ("secret_checks.sealed", "belongs to the shop"),
        ("idempotency_keys.body_sha256", "a request, not a secret"),
        ("gateway_callbacks.body_sha256", "a request, not a secret"),
        ("rejected_usage.record_sha256", "a record, not a secret"),
    ];

    /// Connections through proxies would break for everybody who uses them; the pages say that their passwords are to be changed.
    const PROXIES: &str = "gives use of proxies, and none of the account";

    fn is_secret((name, kind): &(&str, &str)) -> bool {
        let is_text = ["Text", "Nullable<Text>", "Binary", "Nullable<Binary>"].contains(kind);
        is_text
            && ["sha256", "hash", "sealed", "secret", "token", "salt", "password"]
                .iter()
                .any(|part| name.contains(part))
    }

    #[test]
    fn every_secret_of_the_database_is_in_the_table_or_excepted() {
        let all: BTreeSet<String> = tables()
            .iter()
            .flat_map(|(table, columns)| columns.iter().map(move |column| (table, column)))
            .filter(|(table, column)| {
                is_secret(column) || NO_ACCESS.iter().any(|row| row.0 == format!("{table}.{}", column.0))
            })
            .map(|(table, column)| format!("{table}.{}", column.0))
            .collect();
        assert!(all.len() > 25, "secrets are found: {all:?}");
        let excepted = NO_ACCESS.iter().map(|row| row.0);
        let known: Vec<&str> = TABLE.iter().flat_map(|access| access.columns).copied().chain(excepted).collect();
        let distinct: BTreeSet<String> = known.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(distinct.len(), known.len(), "each stands once");
        assert_eq!(all, distinct);
    }

    #[test]
    fn every_kind_of_access_has_its_row() {
        let kinds: Vec<AccessKind> = TABLE.iter().map(|access| access.kind).collect();
        assert_eq!(kinds, AccessKind::ALL);
    }
}
