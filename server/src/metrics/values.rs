//! Values of the moment, for the page of metrics.
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;

pub type Labels = Vec<(&'static str, String)>;

/// Values of the moment, which are read when they are asked for.
#[derive(Default)]
pub struct Values {
    registry: Registry,
}

impl Values {
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Of one thing each, by labels. Without rows there is nothing to tell.
    pub fn add(&mut self, name: &str, help: &str, rows: impl IntoIterator<Item = (Labels, f64)>) {
        let family = Family::<Labels, Gauge<f64, AtomicU64>>::default();
        let mut is_empty = true;
        for (labels, value) in rows {
            family.get_or_create(&labels).set(value);
            is_empty = false;
        }
        if !is_empty {
            self.registry.register(name, help, family);
        }
    }

    /// Of what only grows; `_total` is added to its name.
    pub fn add_total(&mut self, name: &str, help: &str, value: f64) {
        self.registry.register(name, help, ConstCounter::new(value));
    }

    /// Of one thing; absent if there is none.
    pub fn add_one(&mut self, name: &str, help: &str, value: impl Into<Option<f64>>) {
        self.add(name, help, value.into().map(|value| (Labels::new(), value)));
    }
}
