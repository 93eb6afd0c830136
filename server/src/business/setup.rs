//! What a new shop still lacks.
use crate::business::types::SetupStepView;
use crate::config::Config;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::is_offered;
use crate::prices::prices;
use crate::schema::{nodes, orders, proxy_servers, two_factors};
use crate::system::backups;
use chrono::NaiveDateTime;
use postern_core::business::SetupStep;
use postern_core::node::NodeState;
use postern_core::order::{OrderKind, PaymentMethod};
use postern_core::proxy_server::ProxyServerKind;

/// All steps, with whether each is done; the second factor is that of this operator.
pub fn steps(
    conn: &mut Conn,
    config: &Config,
    user_id: i64,
    now: NaiveDateTime,
) -> Result<Vec<SetupStepView>, AppError> {
    let mut steps = Vec::new();
    for step in SetupStep::ALL {
        steps.push(SetupStepView { step: *step, is_done: is_done(conn, config, *step, user_id, now)? });
    }
    Ok(steps)
}

fn is_done(
    conn: &mut Conn,
    config: &Config,
    step: SetupStep,
    user_id: i64,
    now: NaiveDateTime,
) -> Result<bool, AppError> {
    Ok(match step {
        SetupStep::Mail => config.smtp_url.is_some(),
        SetupStep::Seller => !config.seller_address.is_empty(),
        SetupStep::Payment => {
            let mut methods = PaymentMethod::ALL.iter().filter(|method| takes_money(**method));
            methods.any(|method| is_offered(config, *method))
        }
        SetupStep::Prices => {
            let prices = prices(conn)?;
            prices.catalogue.tiers_sold() > 0 || !prices.traffic.offers.is_empty()
        }
        SetupStep::Inventory => {
            let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
            let residential = present.filter(proxy_servers::kind.eq(ProxyServerKind::Residential));
            has(residential.select(proxy_servers::id).first::<i64>(conn))? || has_nodes(conn)?
        }
        SetupStep::ProxyServer => {
            let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
            let heard = present.filter(proxy_servers::heartbeat_at.is_not_null());
            has(heard.select(proxy_servers::id).first::<i64>(conn))?
        }
        SetupStep::SecondFactor => {
            let on = two_factors::table.find(user_id).filter(two_factors::turned_on_at.is_not_null());
            has(on.select(two_factors::user_id).first::<i64>(conn))?
        }
        SetupStep::Backup => backups::is_recent(conn, now)?,
        SetupStep::Sale => {
            let paid = orders::table.filter(orders::paid_at.le(now)).filter(orders::kind.ne(OrderKind::TopUp));
            has(paid.order(orders::paid_at).select(orders::id).first::<i64>(conn))?
        }
    })
}

fn takes_money(method: PaymentMethod) -> bool {
    !matches!(method, PaymentMethod::Wallet | PaymentMethod::Sandbox)
}

fn has_nodes(conn: &mut Conn) -> Result<bool, AppError> {
    for state in [NodeState::Available, NodeState::Assigned] {
        if has(nodes::table.filter(nodes::state.eq(state)).select(nodes::id).first::<i64>(conn))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has(found: QueryResult<i64>) -> Result<bool, AppError> {
    Ok(found.optional()?.is_some())
}
