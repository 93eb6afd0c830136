//! Which upstream is next: by weight, except those that have failed several times in a row, which are set aside for a while.
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row after which an upstream is set aside.
const MAX_FAILURES: u32 = 3;

const SET_ASIDE: Duration = Duration::from_secs(30);

struct State {
    weight: i64,
    /// The one with the most credit is next.
    credit: i64,
    failures: u32,
    aside_until: Option<Instant>,
}

impl State {
    fn is_usable(&self, now: Instant) -> bool {
        self.aside_until.is_none_or(|until| now >= until)
    }
}

pub struct Usability(Mutex<Vec<State>>);

/// Upstreams to try, one after the other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Choice(VecDeque<usize>);

impl Choice {
    pub fn only(index: usize) -> Choice {
        Choice(VecDeque::from([index]))
    }

    pub fn next(&mut self) -> Option<usize> {
        self.0.pop_front()
    }
}

impl Usability {
    pub fn new(weights: Vec<u32>) -> Usability {
        let state = |weight| State { weight: i64::from(weight), credit: 0, failures: 0, aside_until: None };
        Usability(Mutex::new(weights.into_iter().map(state).collect()))
    }

    fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_usable(&self, index: usize) -> bool {
        self.states()[index].is_usable(Instant::now())
    }

    /// The upstreams to try: first the one whose turn it is, then the other usable ones. If none is usable, all: one may be back.
    pub fn choice(&self) -> Choice {
        let (mut states, now) = (self.states(), Instant::now());
        let all = 0..states.len();
        let usable: Vec<usize> = all.clone().filter(|index| states[*index].is_usable(now)).collect();
        let mut order = if usable.is_empty() { all.collect() } else { usable };
        // Everyone earns its weight, and who has most pays for the turn: turns are spread evenly.
        let total: i64 = order.iter().map(|index| states[*index].weight).sum();
        for index in &order {
            states[*index].credit += states[*index].weight;
        }
        order.sort_by_key(|index| -states[*index].credit);
        if let Some(first) = order.first() {
            states[*first].credit -= total;
        }
        Choice(order.into())
    }

    pub fn note_success(&self, index: usize) {
        let state = &mut self.states()[index];
        (state.failures, state.aside_until) = (0, None);
    }

    /// Returns whether the upstream is set aside now, and was not before.
    pub fn note_failure(&self, index: usize) -> bool {
        let (state, now) = (&mut self.states()[index], Instant::now());
        state.failures += 1;
        let is_new = state.failures >= MAX_FAILURES && state.is_usable(now);
        if is_new {
            state.aside_until = Some(now + SET_ASIDE);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_follow_the_weights() {
        let usability = Usability::new(vec![3, 1]);
        let first: Vec<Option<usize>> = (0..8).map(|_| usability.choice().next()).collect();
        assert_eq!(first, [0, 0, 1, 0].repeat(2).into_iter().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn one_that_fails_in_a_row_is_set_aside_and_one_success_is_enough() {
        let usability = Usability::new(vec![1, 1]);
        assert!(!usability.note_failure(0));
        usability.note_success(0);
        assert_eq!([0; 3].map(|index| usability.note_failure(index)), [false, false, true]);
        assert!(!usability.is_usable(0));
        let mut choice = usability.choice();
        assert_eq!((choice.next(), choice.next()), (Some(1), None));
        assert_eq!([1; 3].map(|index| usability.note_failure(index)), [false, false, true]);
        let mut choice = usability.choice();
        assert!(choice.next().is_some() && choice.next().is_some(), "all are tried when none is usable");
        usability.note_success(0);
        assert!(usability.is_usable(0));
    }
}
