//! The very nodes that are for sale, for customers who pick.
use super::queries::catalogue;
use crate::answer::{Answer, Answered, answer};
use crate::db::Conn;
use crate::error::AppError;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::request::{Body, SignedIn};
use crate::schema::{node_targets, nodes};
use crate::state::App;
use actix_web::{post, web};
use diesel::prelude::*;
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::node::{NodeState, masked_ip};
use postern_core::place::{city_name, country_name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(get_my_purchasable_node_list);
}

type AppData = web::Data<App>;

/// A node for sale; the last part of its address is hidden until it is bought.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PurchasableNode {
    pub node_id: i64,
    pub ip: String,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    pub isp: String,
    pub asn: i64,
    pub ver_str: String,
    #[schema(value_type = String)]
    pub price: Money,
}

/// Narrows the nodes for sale.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct PurchasableFilter {
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[schema(required = false)]
    pub country: Option<String>,
    #[schema(required = false)]
    pub city: Option<String>,
    #[schema(required = false)]
    pub isp: Option<String>,
    #[schema(required = false)]
    pub target: Option<String>,
}

fn purchasable(conn: &mut Conn, list: &ListRequest) -> Result<Page<PurchasableNode>, AppError> {
    let filter: PurchasableFilter = list.filters()?;
    macro_rules! narrowed {
        ($query:expr) => {{
            let mut query = $query.filter(nodes::state.eq(NodeState::Available.as_str())).into_boxed();
            if let Some(ver_str) = &filter.ver_str {
                query = query.filter(nodes::ver_str.eq(ver_str));
            }
            if let Some(country) = &filter.country {
                query = query.filter(nodes::country.eq(country));
            }
            if let Some(city) = &filter.city {
                query = query.filter(nodes::city.eq(city));
            }
            if let Some(isp) = &filter.isp {
                query = query.filter(nodes::isp.eq(isp));
            }
            if let Some(target) = &filter.target {
                let fitting = node_targets::table.filter(node_targets::target.eq(target));
                query = query.filter(nodes::id.eq_any(fitting.select(node_targets::node_id)));
            }
            query
        }};
    }
    let total: i64 = narrowed!(nodes::table.select(diesel::dsl::count(nodes::id))).first(conn)?;
    type Row = (i64, String, String, String, String, i64, String);
    let mut query = narrowed!(nodes::table.select((
        nodes::id,
        nodes::ip,
        nodes::country,
        nodes::city,
        nodes::isp,
        nodes::asn,
        nodes::ver_str,
    )));
    for sort in &list.sort {
        query = match (sort.field.as_str(), sort.direction) {
            ("Country", Direction::Asc) => query.then_order_by(nodes::country.asc()),
            ("Country", Direction::Desc) => query.then_order_by(nodes::country.desc()),
            ("City", Direction::Asc) => query.then_order_by(nodes::city.asc()),
            ("City", Direction::Desc) => query.then_order_by(nodes::city.desc()),
            ("Isp", Direction::Asc) => query.then_order_by(nodes::isp.asc()),
            ("Isp", Direction::Desc) => query.then_order_by(nodes::isp.desc()),
            (other, _) => return Err(unknown_sort(other)),
        };
    }
    let rows: Vec<Row> = query.then_order_by(nodes::id).limit(list.limit()).offset(list.offset()).load(conn)?;
    let shop = catalogue(conn)?;
    let row = |(node_id, ip, country, city, isp, asn, ver_str): Row| PurchasableNode {
        node_id,
        ip: masked_ip(&ip),
        country_name_en: country_name(&country, Language::En),
        country_name_zh: country_name(&country, Language::Zh),
        city_name_en: city_name(&city, Language::En),
        city_name_zh: city_name(&city, Language::Zh),
        country,
        city,
        isp,
        asn,
        price: shop.tier(&ver_str).map_or(Money::ZERO, |tier| tier.price),
        ver_str,
    };
    Ok(list.page_of(rows.into_iter().map(row).collect(), total))
}

/// The very nodes that are for sale, for a customer who picks. Sorts by `Country`, `City`, `Isp`.
#[utoipa::path(tag = "Ips", request_body = ListRequest, responses((status = 200, body = Answer<Page<PurchasableNode>>)), security(("Token" = [])))]
#[post("/Ips/GetMyPurchasableNodeList")]
async fn get_my_purchasable_node_list(
    app: AppData,
    _who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<PurchasableNode>> {
    answer(app.db.read(move |conn| purchasable(conn, &list)).await?)
}
