//! Requests and responses of the calls about static residential proxies.
use crate::fulfilment::renewals::NextCharge;
use crate::nodes::stock::ShelfFilter;
use postern_core::node::{AccessMode, NodeState};
use postern_core::place::{Region, is_country};
use postern_core::product_summary::ProductSummary;
use postern_core::switch::SwitchQuota;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Filters of the stock; absent fields do not filter.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct StockFilter {
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[schema(required = false)]
    pub country: Option<String>,
    #[schema(required = false)]
    pub target: Option<String>,
}

impl StockFilter {
    pub fn shelves(&self) -> ShelfFilter<'_> {
        ShelfFilter {
            ver_str: self.ver_str.as_deref(),
            country: self.country.as_deref(),
            target: self.target.as_deref(),
            ..ShelfFilter::default()
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CountryStock {
    pub country: String,
    pub code3: String,
    pub numeric: u16,
    pub name_en: String,
    pub name_zh: String,
    pub region: Region,
    pub cities: Vec<CityStock>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CityStock {
    pub city: String,
    pub name_en: String,
    pub name_zh: String,
    pub stock: i64,
    /// Its rank among the best-selling cities, from 1; absent for lower-ranked cities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub popularity: Option<usize>,
}

/// The stock of a tier in one city.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Inventory {
    pub country: String,
    pub city: String,
    pub ver_str: String,
    pub node_type: i16,
    pub available: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Target {
    pub target: String,
    pub name_en: String,
    pub name_zh: String,
    pub category: String,
}

/// A use case, with the number of the account's nodes that fit it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedTarget {
    #[serde(flatten)]
    pub target: Target,
    pub node_count: i64,
}

/// A product that the account owns, identified by `NodeType` and `VerStr`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedProduct {
    pub ver_str: String,
    pub node_type: i16,
    pub ips_count: u32,
    #[serde(flatten)]
    pub summary: ProductSummary,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Plan {
    pub plan_id: i64,
    pub ver_str: String,
    pub node_type: i16,
    pub ips_count: u32,
    /// Whether proxies bought next renew automatically; `AutoRenewal` is about those of today.
    pub auto_renew: bool,
    #[serde(flatten)]
    pub summary: ProductSummary,
    pub access_mode: AccessMode,
    /// The shared user name of all nodes of the plan, if the customer has set one.
    pub user_name: Option<String>,
    pub quota: SwitchQuota,
    /// The next automatic renewal.
    pub next_charge: Option<NextCharge>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PlanGroup {
    pub group_id: i64,
    pub name: String,
    pub colour: String,
    pub note: String,
    pub node_count: i64,
}

/// Filters of the proxy list.
#[derive(Clone, Default, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct NodeFilter {
    /// One country, or several separated by commas, such as `US,DE`.
    #[schema(required = false)]
    pub country: Option<String>,
    /// Only nodes with these addresses; at most 1,000.
    #[schema(required = false)]
    pub ips: Vec<String>,
    #[schema(required = false)]
    pub city: Option<String>,
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[schema(required = false)]
    pub state: Option<NodeState>,
    /// 0 for nodes without a group.
    #[schema(required = false)]
    pub group_id: Option<i64>,
    #[schema(required = false)]
    pub auto_renew: Option<bool>,
    #[schema(required = false)]
    pub target: Option<String>,
    #[schema(required = false)]
    pub ends_within_days: Option<u16>,
    /// Only nodes bought or renewed by the order with this number.
    #[schema(required = false)]
    pub order_number: Option<String>,
}

impl NodeFilter {
    /// The valid country codes of the filter, without duplicates.
    pub fn countries(&self) -> Option<BTreeSet<&str>> {
        let codes = self.country.as_deref()?.split(',').map(str::trim);
        Some(codes.filter(|code| is_country(code)).collect())
    }

    /// Whether an index contains all that the filter compares: it has countries or a city, and nothing else.
    pub fn has_covering_index(&self) -> bool {
        let others = NodeFilter { country: None, city: None, ..self.clone() };
        others == NodeFilter::default() && self.country.is_some() != self.city.is_some()
    }
}

/// A proxy protocol.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    Http,
    Socks5,
}

/// A node that the account owns.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedNode {
    pub node_id: i64,
    pub ip: String,
    pub http_port: i32,
    /// Absent for a node with HTTP alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socks5_port: Option<i32>,
    pub protocols: Vec<Protocol>,
    pub user_name: String,
    pub password: String,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    pub isp: String,
    pub asn: i64,
    pub ver_str: String,
    pub node_type: i16,
    pub group_id: Option<i64>,
    pub group_name: Option<String>,
    pub note: String,
    pub state: NodeState,
    pub assigned_at: Option<String>,
    pub expires_at: Option<String>,
    pub auto_renew: bool,
    /// The period of automatic renewals, in days.
    pub period_days: Option<i32>,
    /// The previous user name, while it still works.
    pub old_user_name: Option<String>,
    pub old_valid_until: Option<String>,
    /// The use cases that the node fits.
    pub targets: Vec<String>,
}
