//! Requests and responses of the operator's calls about coupons.
use chrono::NaiveDateTime;
use postern_core::coupon::{Coupon, CouponState};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct CouponFilter {
    #[schema(required = false)]
    pub state: Option<CouponState>,
}

/// A coupon and its use.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CouponView {
    pub coupon: Coupon,
    pub state: CouponState,
    /// The number of orders that use it, unpaid ones included.
    pub orders: i64,
    pub created_at: String,
}

impl CouponView {
    pub fn of(coupon: Coupon, orders: i64, created_at: NaiveDateTime, now: NaiveDateTime) -> CouponView {
        CouponView { state: coupon.state(now), coupon, orders, created_at: to_wire(created_at) }
    }
}

#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CouponCode {
    /// The coupon's code.
    pub code: String,
}
