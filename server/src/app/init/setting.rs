//! What `postern init` needs to know: the settings of the new shop, and its operator.
use std::collections::HashMap;
use std::path::PathBuf;

/// The question that is not about a setting.
pub const OPERATOR: &str = "--operator";

pub struct Question {
    /// The setting, or `OPERATOR`.
    pub name: &'static str,
    pub text: &'static str,
    pub default: &'static str,
    pub is_required: bool,
}

pub const QUESTIONS: &[Question] = &[
    optional("POSTERN_SHOP_NAME", "Name of the shop", "Postern"),
    required("POSTERN_PUBLIC_URL", "Address that customers open, such as https://shop.your.domain"),
    optional("DATABASE_URL", "Database, such as postgres://user:password@host/database", "a file in POSTERN_VAR_DIR"),
    optional("POSTERN_SELLER_NAME", "Seller's name on invoices", "the shop's name"),
    optional("POSTERN_SELLER_ADDRESS", "Seller's address on invoices, its lines separated by |", "none"),
    optional("POSTERN_SUPPORT_EMAIL", "E-mail address of customer support", "later"),
    optional("POSTERN_SMTP_URL", "Mail server, such as smtps://user:password@host:port", "later"),
    optional("POSTERN_MAIL_FROM", "Sender of mails, such as Shop <noreply@your.domain>", "later"),
    required(OPERATOR, "Your e-mail address, with which you sign in as operator"),
];

const fn optional(name: &'static str, text: &'static str, default: &'static str) -> Question {
    Question { name, text, default, is_required: false }
}

const fn required(name: &'static str, text: &'static str) -> Question {
    Question { name, text, default: "", is_required: true }
}

/// The shop that is to be opened.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Its settings, by the names of their variables.
    pub variables: HashMap<String, String>,
    /// The operator's e-mail address.
    pub operator: String,
    pub file: PathBuf,
    /// Replace a file with other settings.
    pub force: bool,
}

impl Plan {
    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.trim().to_owned();
        if name == OPERATOR {
            self.operator = value;
        } else {
            self.variables.insert(name.to_owned(), value);
        }
    }

    pub fn unset(&mut self, name: &str) {
        if name == OPERATOR { self.operator.clear() } else { drop(self.variables.remove(name)) }
    }
}
