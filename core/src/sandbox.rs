//! The sandbox gateway: possible outcomes of a charge and states of a card.
use crate::wire_enum::wire_enum;

wire_enum! {
    /// The outcome of a charge.
    SandboxOutcome {
        /// Not decided yet.
        Open = "open",
        Approved = "approved",
        Declined = "declined",
    }
}

wire_enum! {
    /// A card's behaviour when charged, or why there is no card.
    SandboxCard {
        /// No card has been chosen yet.
        Open = "open",
        /// The customer cancelled.
        Cancelled = "cancelled",
        Good = "good",
        Declining = "declining",
        /// It requires authentication by its owner, who is not present.
        Asking = "asking",
        /// The shop asked the gateway to forget it.
        Forgotten = "forgotten",
    }
}
