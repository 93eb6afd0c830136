//! What a proof of the books has found so far.
use postern_core::money::Money;

/// Rows that are read at once.
pub const CHUNK: i64 = 1_000;

/// Problems that are kept in words; all are counted.
const KEPT: usize = 1_000;

/// What `postern ledger verify` found.
#[derive(Debug, Default)]
pub struct Verification {
    pub transactions: usize,
    pub wallets: usize,
    pub payments: usize,
    pub orders: usize,
    pub invoices: usize,
    /// A sentence each, for the operator: the first thousand.
    pub problems: Vec<String>,
    pub problem_count: usize,
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
