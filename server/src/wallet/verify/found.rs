//! The result of verifying the books, shared by all checks.
use postern_core::money::Money;

/// Rows per query.
pub const CHUNK: i64 = 1_000;

/// Maximum problems stored as text; all are counted.
const KEPT: usize = 1_000;

/// The result of `postern ledger verify`.
#[derive(Debug, Default)]
pub struct Verification {
    pub transactions: usize,
    pub wallets: usize,
    pub payments: usize,
    pub orders: usize,
    pub invoices: usize,
    /// One sentence per problem, for the operator: the first thousand.
    pub problems: Vec<String>,
    pub problem_count: usize,
    /// One sentence for each closed account with money: the first thousand. The books add up all the same.
    pub closed_accounts: Vec<String>,
}

impl Verification {
    pub fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < KEPT {
            self.problems.push(text);
        }
    }
}

pub fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}
