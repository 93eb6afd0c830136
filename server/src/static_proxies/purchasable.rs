//! The nodes in stock, for customers who pick specific ones.
use crate::catalogue::catalogue;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{Direction, ListRequest, Page, Sort, too_many_sorts, unknown_sort};
use crate::http::request::{Body, SignedIn};
use crate::nodes::stock::{self, ShelfFilter};
use crate::schema::nodes;
use crate::state::App;
use crate::static_proxies::place_names::{of_city, of_country};
use actix_web::{post, web};
use postern_core::bounds::MAX_SORT_FIELDS;
use postern_core::money::Money;
use postern_core::node::{NodeState, masked_ip};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use utoipa::ToSchema;

type AppData = web::Data<App>;

/// A node in stock. The last part of its address is masked until it is bought.
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
    pub price: Money,
}

/// The filters for nodes in stock.
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

type Row = (i64, String, String, String, String, i64, String);

impl PurchasableFilter {
    fn shelves(&self) -> ShelfFilter<'_> {
        ShelfFilter {
            ver_str: self.ver_str.as_deref(),
            country: self.country.as_deref(),
            city: self.city.as_deref(),
            isp: self.isp.as_deref(),
            target: self.target.as_deref(),
        }
    }
}

/// The sort keys, by which both shelves and rows are compared.
type SortKey = for<'a> fn(&Placed<'a>) -> &'a str;

/// The sort key of a shelf or a node.
struct Placed<'a> {
    country: &'a str,
    city: &'a str,
    isp: &'a str,
}

fn sort_keys(list: &ListRequest) -> Result<Vec<(SortKey, Direction)>, AppError> {
    let key = |sort: &Sort| {
        let key: SortKey = match sort.field.as_str() {
            "Country" => |placed| placed.country,
            "City" => |placed| placed.city,
            "Isp" => |placed| placed.isp,
            other => return Err(unknown_sort(other)),
        };
        Ok((key, sort.direction))
    };
    if list.sort.len() > MAX_SORT_FIELDS {
        return Err(too_many_sorts());
    }
    list.sort.iter().map(key).collect()
}

/// Sorts stably by the list's keys.
fn sort_placed<T>(items: &mut [T], keys: &[(SortKey, Direction)], placed: impl Fn(&T) -> Placed<'_>) {
    items.sort_by(|one, other| {
        let (one, other) = (placed(one), placed(other));
        let by_key = |(key, direction): &(SortKey, Direction)| match direction {
            Direction::Asc => key(&one).cmp(key(&other)),
            Direction::Desc => key(&other).cmp(key(&one)),
        };
        keys.iter().map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
}

/// Nodes in stock that match the list's filter; the caller can filter further.
macro_rules! for_sale {
    ($filter:expr) => {{
        let filter: ShelfFilter = $filter;
        let columns = (nodes::id, nodes::ip, nodes::country, nodes::city, nodes::isp, nodes::asn, nodes::ver_str);
        let query = nodes::table.filter(nodes::state.eq(NodeState::Available));
        let mut query = query.select(columns).order(nodes::id).into_boxed();
        if let Some(ver_str) = filter.ver_str {
            query = query.filter(nodes::ver_str.eq(ver_str));
        }
        if let Some(country) = filter.country {
            query = query.filter(nodes::country.eq(country));
        }
        if let Some(city) = filter.city {
            query = query.filter(nodes::city.eq(city));
        }
        if let Some(isp) = filter.isp {
            query = query.filter(nodes::isp.eq(isp));
        }
        if let Some(target) = filter.target {
            query = query.filter(crate::nodes::targets::good_for!(target));
        }
        query
    }};
}

/// The address range of a search such as `203.0.113`. The last part of an address cannot be searched: it is
/// masked until the node is bought.
fn searched_network(search: &str) -> Option<Vec<String>> {
    let mut parts = search.split('.');
    let start: [u8; 3] = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
    let [a, b, c] = start;
    Some((0..=u8::MAX).map(|last| format!("{a}.{b}.{c}.{last}")).collect())
}

fn purchasable(conn: &mut Conn, list: &ListRequest) -> Result<Page<PurchasableNode>, AppError> {
    let filter: PurchasableFilter = list.filters()?;
    let keys = sort_keys(list)?;
    let (rows, total) = match searched_network(list.search.trim()) {
        Some(network) => page_of_network(conn, &filter, &network, &keys, list)?,
        None => page_of_shelves(conn, &filter, &keys, list)?,
    };
    let shop = catalogue(conn)?;
    let row = |(node_id, ip, country, city, isp, asn, ver_str): Row| PurchasableNode {
        node_id,
        ip: masked_ip(&ip),
        country_name_en: of_country(&country).en,
        country_name_zh: of_country(&country).zh,
        city_name_en: of_city(&city).en,
        city_name_zh: of_city(&city).zh,
        country,
        city,
        isp,
        asn,
        price: shop.tier(&ver_str).map_or(Money::ZERO, |tier| tier.price),
        ver_str,
    };
    Ok(list.page_of(rows.into_iter().map(row).collect(), total, vec!["Country", "City", "Isp"]))
}

/// The nodes of one network are few enough to be loaded at once.
fn page_of_network(
    conn: &mut Conn,
    filter: &PurchasableFilter,
    network: &[String],
    keys: &[(SortKey, Direction)],
    list: &ListRequest,
) -> Result<(Vec<Row>, i64), AppError> {
    let mut rows: Vec<Row> = for_sale!(filter.shelves()).filter(nodes::ip.eq_any(network)).load(conn)?;
    sort_placed(&mut rows, keys, |row| Placed { country: &row.2, city: &row.3, isp: &row.4 });
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let page = rows.into_iter().skip(usize::try_from(list.offset()).unwrap_or(usize::MAX));
    Ok((page.take(list.page_size() as usize).collect(), total))
}

/// Assembles a page from the shelves that it touches: stock counts tell how many nodes come before it, and of
/// each shelf only the page's rows are read.
fn page_of_shelves(
    conn: &mut Conn,
    filter: &PurchasableFilter,
    keys: &[(SortKey, Direction)],
    list: &ListRequest,
) -> Result<(Vec<Row>, i64), AppError> {
    let mut shelves = stock::shelves(conn, &filter.shelves())?;
    let search = list.search.trim().to_lowercase();
    shelves.retain(|shelf| shelf.isp.to_lowercase().contains(&search));
    sort_placed(&mut shelves, keys, |shelf| Placed { country: &shelf.country, city: &shelf.city, isp: &shelf.isp });
    let total = shelves.iter().map(|shelf| shelf.available).sum();
    let (mut before, mut wanted) = (list.offset(), list.limit());
    let mut rows: Vec<Row> = Vec::new();
    for shelf in &shelves {
        if before >= shelf.available {
            before -= shelf.available;
            continue;
        }
        let here = ShelfFilter {
            ver_str: Some(&shelf.ver_str),
            country: Some(&shelf.country),
            city: Some(&shelf.city),
            isp: Some(&shelf.isp),
            target: filter.target.as_deref(),
        };
        let found: Vec<Row> = for_sale!(here).limit(wanted).offset(before).load(conn)?;
        before = 0;
        wanted -= i64::try_from(found.len()).unwrap_or(wanted);
        rows.extend(found);
        if wanted <= 0 {
            break;
        }
    }
    Ok((rows, total))
}

/// Lists the nodes in stock, for customers who pick specific ones. Sorts by `Country`, `City`, `Isp`; searches
/// in the ISP, or by the start of an address such as `203.0.113`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<PurchasableNode>>)))]
#[post("/Ips/GetMyPurchasableNodeList")]
pub async fn get_my_purchasable_node_list(
    app: AppData,
    _who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<PurchasableNode>> {
    answer(app.db.read(move |conn| purchasable(conn, &list)).await?)
}
