//! The sandbox gateway: what can become of a charge and of a card in its own books.
use crate::wire_enum::wire_enum;

wire_enum! {
    /// How a charge stands.
    SandboxOutcome {
        /// Nobody has decided it.
        Open = "open",
        Approved = "approved",
        Declined = "declined",
    }
}

wire_enum! {
    /// What a card does when it is charged, or why there is none.
    SandboxCard {
        /// Nobody has chosen one.
        Open = "open",
        /// The customer did not want to.
        Cancelled = "cancelled",
        Good = "good",
        Declining = "declining",
        /// It asks for its owner, who is not there.
        Asking = "asking",
        /// The shop had it forgotten.
        Forgotten = "forgotten",
    }
}
