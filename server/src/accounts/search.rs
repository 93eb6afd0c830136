//! Accounts found by e-mail address.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::http::list::containing;
use crate::schema::users;

/// Up to so many accounts are looked up by their ids. If more match, rows of theirs are found soon.
const LOOKED_UP: usize = 1_000;

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
        let ids: Vec<i64> = with_part.select(users::account_id).limit(LOOKED_UP as i64 + 1).load(conn)?;
        Ok(if ids.len() > LOOKED_UP { Matching::Many(text) } else { Matching::These(ids) })
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
