//! Accounts found by e-mail address.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::http::list::{MORE_THAN_FEW, containing, few};
use crate::schema::users;

/// The accounts that a search by e-mail address finds.
pub enum Matching {
    These(Vec<i64>),
    /// Many have this in their address.
    Many(String),
}

impl Matching {
    /// Finds the account of a whole address; else all with this part of one, for which all addresses are read, once.
    pub fn of(conn: &mut Conn, text: &str) -> QueryResult<Matching> {
        let text = text.trim().to_lowercase();
        if text.contains('@') {
            let whole: Vec<i64> = users::table.filter(users::email.eq(&text)).select(users::account_id).load(conn)?;
            if !whole.is_empty() {
                return Ok(Matching::These(whole));
            }
        }
        let with_part = users::table.filter(users::email.like(containing(&text)).escape('\\'));
        let found = with_part.select(users::account_id).limit(MORE_THAN_FEW).load(conn)?;
        Ok(few(found).map_or(Matching::Many(text), Matching::These))
    }
}

/// A query filtered by the ids of matching accounts: these, or a query that finds them.
macro_rules! of_accounts {
    ($matching:expr, |$ids:ident| $filtered:expr) => {
        match $matching {
            $crate::accounts::search::Matching::These(found) => {
                let $ids = found.clone();
                $filtered
            }
            $crate::accounts::search::Matching::Many(part) => {
                use $crate::schema::users;
                let with_part = users::email.like($crate::http::list::containing(part)).escape('\\');
                let $ids = users::table.filter(with_part).select(users::account_id);
                $filtered
            }
        }
    };
}

pub(crate) use of_accounts;
