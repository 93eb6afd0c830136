//! The settings that all servers of a shop share, as rows: the first server that has a value stores it, and only a command changes it.
use crate::config::Config;
use crate::config::shared::Values;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::shop_settings;
use crate::settings::join;
use crate::settings::queries::update_seller;

pub fn stored(conn: &mut Conn) -> Result<Values, AppError> {
    let rows: Vec<(String, String)> = shop_settings::table.load(conn)?;
    Ok(rows.into_iter().collect())
}

/// The settings with the shop's own values of what the environment leaves unset; one that differs is refused.
pub fn join_shop(db: &Database, config: Config) -> anyhow::Result<Config> {
    let stored = db.read_blocking(stored).map_err(|error| anyhow::anyhow!("reading the shop's settings: {error}"))?;
    join::join(&config, &stored).map_err(refusal)
}

/// The settings of an environment in this shop, or a line for each that differs.
pub fn joined(conn: &mut Conn, config: &Config) -> Result<Result<Config, Vec<String>>, AppError> {
    Ok(join::join(config, &stored(conn)?))
}

fn refusal(differences: Vec<String>) -> anyhow::Error {
    anyhow::anyhow!(
        "this environment differs from the settings that all servers of the shop share:\n  {}\nUse the shop's values: all but POSTERN_ENV \
         are the shop's when they are unset. To change the shop's on purpose, run `postern settings adopt` with the new environment, then restart all servers",
        differences.join("\n  ")
    )
}

/// Stores what this server is the first to set, and the seller. Of several servers that start together, the second one finds the first one's values.
pub fn store_new(db: &Database, config: &Config) -> anyhow::Result<()> {
    let joined = db.write_blocking(|conn| {
        insert(conn, &config.shared)?;
        let joined = join::join(config, &stored(conn)?);
        if let Ok(config) = &joined {
            update_seller(conn, &config.seller())?;
        }
        Ok(joined.map(drop))
    });
    joined.map_err(|error| anyhow::anyhow!("storing the shop's settings: {error}"))?.map_err(refusal)
}

/// Replaces the shop's settings by those of an environment, and the seller with them.
pub fn adopt(conn: &mut Conn, config: &Config) -> Result<(), AppError> {
    diesel::delete(shop_settings::table).execute(conn)?;
    insert(conn, &config.shared)?;
    update_seller(conn, &config.seller())
}

/// Values that are already stored stay.
fn insert(conn: &mut Conn, values: &Values) -> Result<(), AppError> {
    for (name, value) in values {
        let row = (shop_settings::name.eq(name), shop_settings::value.eq(value));
        let insert = diesel::insert_into(shop_settings::table).values(row).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}
