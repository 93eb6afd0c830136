//! Automatic reorders of traffic: bought from the wallet when less than an amount is left.
use crate::wire_enum::wire_enum;

wire_enum! {
    /// Why an automatic reorder did not happen.
    ReorderFailure {
        /// The wallet's balance is too low.
        BalanceTooLow = "balance_too_low",
        /// The shop no longer offers this period or amount.
        OfferGone = "offer_gone",
    }
}
