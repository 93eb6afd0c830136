//! Refunds in the sandbox: on their way until a button of the page says that they arrive, or fail.
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::gateways::gateway::{Asked, KnownRefund, RefundOutcome, RefundRequest, Refunds};
use crate::gateways::sandbox::{Sandbox, find_charge, returned};
use crate::schema::sandbox_returns;
use crate::state::App;
use postern_core::money::Money;
use postern_core::payment_return::{ReturnKind, ReturnState};

impl Refunds for Sandbox {
    fn refund<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        refund: &'a RefundRequest,
    ) -> Asked<'a, RefundOutcome> {
        let (public_id, reference, amount) = (payment.public_id.clone(), refund.reference.clone(), refund.amount);
        let found_or_made = move |conn: &mut Conn| {
            let row = (
                sandbox_returns::reference.eq(&reference),
                sandbox_returns::public_id.eq(&public_id),
                sandbox_returns::kind.eq(ReturnKind::ByShop),
                sandbox_returns::state.eq(ReturnState::Open),
                sandbox_returns::amount_minor.eq(amount.minor()),
            );
            let insert = diesel::insert_into(sandbox_returns::table).values(row).on_conflict_do_nothing();
            let made = sandbox_returns::table.find(&reference);
            let made = made.select((sandbox_returns::state, sandbox_returns::amount_minor));
            let is_known = made.first::<(ReturnState, i64)>(conn).optional()?.is_some();
            let back = returned(conn, &public_id)?.into_iter().filter(|one| one.state.takes());
            let back = Money::sum(back.map(|one| one.amount))?.checked_add(amount)?;
            let charged = find_charge(conn, &public_id)?.map_or(0, |charge| charge.amount_minor);
            if !is_known && back.minor() > charged {
                return Ok(RefundOutcome::Refused("more than is left of the payment".to_owned()));
            }
            on_either!(conn, insert.execute(conn)?);
            let (state, minor) = made.first(conn)?;
            let amount = Money::from_minor(minor);
            Ok(RefundOutcome::Known(KnownRefund {
                gateway_reference: reference.clone(),
                state,
                amount,
                claim_url: None,
            }))
        };
        Box::pin(app.db.write(found_or_made))
    }
}
