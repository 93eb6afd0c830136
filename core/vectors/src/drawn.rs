//! Generated inputs for the rules of money, states and forms, and their outputs.
use crate::generator::Generator;
use chrono::{DateTime, NaiveDateTime};
use postern_core::auto_top_up::{self, AutoTopUp};
use postern_core::coupon::{Benefit, Coupon, CouponUses, coupon_error_fields};
use postern_core::money::Money;
use postern_core::network::{self, Network};
use postern_core::node::{NodeEvent, NodeState, next_node_state};
use postern_core::node_forms::{self, NodeAccountForm, PlanGroupForm};
use postern_core::operator_forms::{CouponForm, ReasonedAmountForm, validate_coupon, validate_credit, validate_refund};
use postern_core::order::{
    GatewayReport, OrderEvent, OrderKind, OrderState, PaymentEvent, PaymentState, evaluate_report, next_order_state,
    next_payment_state,
};
use postern_core::profile::{self, AccountDetails, PasswordChangeForm};
use postern_core::proxy_user::{
    LimitCycle, ProxyUserEvent, ProxyUserState, cycle_of, format_gigabytes, next_proxy_user_state, parse_gigabytes,
};
use postern_core::proxy_user_form::{ProxyUserForm, validate_proxy_user};
use postern_core::quote::{LineRequest, QuoteRequest, Terms, quote_error_fields, quote_with_terms};
use postern_core::referral::{
    CommissionEvent, CommissionState, commission, commission_clawback, next_commission_state,
};
use postern_core::refund::{PaidLine, RefundRequest, refund_amount, refund_unused, undelivered, unused_seconds};
use postern_core::renewal::{RenewalLineRequest, RenewalRequest, next_attempt, quote_renewal};
use postern_core::support::validate_message;
use postern_core::switch::{SwitchMode, SwitchRequest, price_switch, switch_quota};
use postern_core::tier::Catalogue;
use postern_core::time::time_zone;
use postern_core::top_up::{MAX_TOP_UP, MIN_TOP_UP};
use postern_core::wallet_forms::{self, AutoTopUpForm};
use postern_core::web_address::WebAddress;
use postern_core::webhook::{Reach, WebhookForm, validate_webhook};
use std::net::IpAddr;

const MONTH_SECONDS: u64 = 30 * 86_400;

impl Generator {
    /// An amount below this number of minor units, sometimes negative.
    fn money(&mut self, below: u64) -> Money {
        let minor = self.below(below) as i64;
        Money::from_minor(if self.below(20) == 0 { -minor } else { minor })
    }

    /// An amount as a user might type it.
    fn typed_amount(&mut self) -> String {
        match self.below(5) {
            0 => self.text(5),
            1 => self.below(200).to_string(),
            _ => format!("{}.{:02}", self.below(20_000), self.below(100)),
        }
    }

    fn moment(&mut self) -> NaiveDateTime {
        DateTime::from_timestamp(self.below(4_102_444_800) as i64, 0).unwrap_or_default().naive_utc()
    }

    fn terms(&mut self) -> Terms {
        let products = Catalogue::default().tiers;
        let coupon = Coupon {
            code: self.text(3),
            benefit: match self.below(2) {
                0 => Benefit::Percent(self.below(11_000) as u32),
                _ => Benefit::Amount(self.money(20_000)),
            },
            minimum: self.money(20_000),
            products: (0..self.below(3)).map(|_| self.pick(&products).ver_str.clone()).collect(),
            uses_per_account: (self.below(2) == 0).then(|| self.below(4) as u32),
            total_uses: (self.below(2) == 0).then(|| self.below(9) as u32),
            first_order_only: self.below(4) == 0,
            valid_from: (self.below(2) == 0).then(|| self.moment()),
            valid_until: (self.below(2) == 0).then(|| self.moment()),
        };
        Terms {
            reseller_basis_points: *self.pick(&[0, 0, 500, 1_234, 10_000, 10_001]),
            coupon: (self.below(2) == 0).then_some(coupon),
        }
    }

    /// Usually a valid field value, sometimes an invalid one.
    fn word(&mut self, most: u64) -> String {
        const LETTERS: &[char] = &['a', 'b', 'z', 'A', '0', '7', '_', '.', '-', ' ', '\n', '密', ':'];
        let letters = if self.below(3) == 0 { LETTERS } else { &LETTERS[..7] };
        (0..self.below(most + 1)).map(|_| *self.pick(letters)).collect()
    }

    fn web_address(&mut self) -> String {
        const PARTS: &[&str] = &[
            "example",
            "com",
            "localhost",
            "internal",
            "127",
            "0x7f",
            "10",
            "1",
            "169",
            "254",
            "-",
            "[::1]",
            "[fd00::1]",
            "[2606:4700::1]",
            "é",
            "",
        ];
        let scheme = self.pick(&["https://", "https://", "https://", "http://", "ftp://", ""]).to_string();
        let user = self.pick(&["", "", "", "", "ann@", "a:b@"]).to_string();
        let host: Vec<_> = (0..1 + self.below(4)).map(|_| *self.pick(PARTS)).collect();
        let end = self.pick(&["", "/", ":8443/in?k=1", ":0", ":99999", "/#a", "/ ", "\\x"]).to_string();
        format!("{scheme}{user}{}{end}", host.join("."))
    }
}

pub(super) fn allocate(generator: &mut Generator) -> String {
    let amount = Money::from_minor(generator.draw() as i64 >> generator.below(60));
    let weights: Vec<i64> = (0..generator.below(9)).map(|_| generator.below(1 << 20) as i64 - 8).collect();
    let parts = generator.below(40) as u32;
    format!("{amount} {weights:?} {:?} {parts} {:?}", amount.allocate(&weights), amount.split(parts))
}

pub(super) fn terms(generator: &mut Generator) -> String {
    let (request, terms) = (quote_request(generator), generator.terms());
    let now = generator.moment();
    let uses = CouponUses {
        by_account: generator.below(4) as u32,
        in_total: generator.below(9) as u32,
        has_paid_order: generator.below(2) == 0,
    };
    let usable = terms.coupon.as_ref().map(|coupon| coupon.check(now, uses).map_err(coupon_error_fields));
    let quote = quote_with_terms(&request, &Catalogue::default(), &terms).map_err(quote_error_fields);
    format!("{request:?} {terms:?} {now} {uses:?} {usable:?} {quote:?}")
}

pub(super) fn renewal(generator: &mut Generator) -> String {
    let tiers = Catalogue::default().tiers;
    let line = |generator: &mut Generator| RenewalLineRequest {
        ver_str: generator.pick(&tiers).ver_str.clone(),
        quantity: {
            let limit = *generator.pick(&[3, 100, 60_000]);
            generator.below(limit) as u32
        },
    };
    let request = RenewalRequest {
        period_days: *generator.pick(&[30, 90, 180, 360, 31]),
        lines: (0..generator.below(4)).map(|_| line(generator)).collect(),
    };
    let terms = generator.terms();
    let quote = quote_renewal(&request, &Catalogue::default(), &terms).map_err(quote_error_fields);
    let (expires_at, after) = (generator.moment(), generator.moment());
    format!("{request:?} {terms:?} {quote:?} {expires_at} {after} {:?}", next_attempt(expires_at, after))
}

pub(super) fn refund(generator: &mut Generator) -> String {
    let line = |generator: &mut Generator| PaidLine {
        reference: generator.text(2),
        paid: generator.money(2_000),
        refunded: if generator.below(4) == 0 { generator.money(2_000) } else { Money::ZERO },
        unused_seconds: generator.below(MONTH_SECONDS + 86_400) as u32,
    };
    let request = RefundRequest {
        paid: generator.money(20_000),
        refunded: if generator.below(2) == 0 { generator.money(5_000) } else { Money::ZERO },
        period_seconds: *generator.pick(&[MONTH_SECONDS as u32, MONTH_SECONDS as u32 + 86_400, 7, 0]),
        lines: (0..generator.below(6)).map(|_| line(generator)).collect(),
        earlier: (0..generator.below(3)).map(|_| line(generator)).collect(),
    };
    let amount = generator.money(20_000);
    let (ordered, delivered) = (generator.below(12) as u32, generator.below(12) as u32);
    let moments = [generator.moment(), generator.moment(), generator.moment()];
    format!(
        "{request:?} {:?} {amount} {:?} {ordered} {delivered} {:?} {moments:?} {}",
        refund_unused(&request),
        refund_amount(request.paid, request.refunded, amount),
        undelivered(request.paid, ordered, delivered),
        unused_seconds(moments[0], moments[1], moments[2]),
    )
}

pub(super) fn switch(generator: &mut Generator) -> String {
    let line_amount = generator.money(100_000);
    let request = SwitchRequest {
        mode: *generator.pick(SwitchMode::ALL),
        quota_left: generator.below(3) as u32,
        old_price: *generator.pick(&[500, 900, 1_400].map(Money::from_minor)),
        new_price: *generator.pick(&[500, 900, 1_400, -1].map(Money::from_minor)),
        remaining_seconds: generator.below(12 * MONTH_SECONDS) as u32,
        line_amount,
        line_net: if generator.below(2) == 0 { line_amount } else { generator.money(100_000) },
    };
    let times: Vec<_> = (0..generator.below(4)).map(|_| generator.moment()).collect();
    let (nodes, now) = (generator.below(1_000) as u32, generator.moment());
    format!("{request:?} {:?} {nodes} {times:?} {now} {:?}", price_switch(&request), switch_quota(nodes, &times, now))
}

pub(super) fn states(generator: &mut Generator) -> String {
    let order = (*generator.pick(OrderState::ALL), *generator.pick(OrderEvent::ALL));
    let payment = (*generator.pick(PaymentState::ALL), *generator.pick(PaymentEvent::ALL));
    let node = (*generator.pick(NodeState::ALL), *generator.pick(NodeEvent::ALL));
    let proxy_user = (*generator.pick(ProxyUserState::ALL), *generator.pick(ProxyUserEvent::ALL));
    let commission = (*generator.pick(CommissionState::ALL), *generator.pick(CommissionEvent::ALL));
    let (succeeded, minor) = (generator.below(2) == 0, 499 + generator.below(2) as i64);
    let report = GatewayReport::of(succeeded, Money::from_minor(minor), *generator.pick(&["USD", "CNY"]));
    format!(
        "{order:?} {:?} {payment:?} {:?} {node:?} {:?} {proxy_user:?} {:?} {commission:?} {:?} {report:?} {:?}",
        next_order_state(order.0, order.1),
        next_payment_state(payment.0, payment.1),
        next_node_state(node.0, node.1),
        next_proxy_user_state(proxy_user.0, proxy_user.1),
        next_commission_state(commission.0, commission.1),
        evaluate_report(&report, payment.0, order.0, Money::from_minor(499), "USD"),
    )
}

pub(super) fn referral(generator: &mut Generator) -> String {
    let kind = *generator.pick(OrderKind::ALL);
    let (paid, refunded, rate) = (generator.money(50_000), generator.money(5_000), generator.below(11_000) as u32);
    let state = *generator.pick(CommissionState::ALL);
    let (before, after, wallet) = (generator.money(5_000), generator.money(2_000), generator.money(3_000));
    format!(
        "{kind:?} {paid} {refunded} {rate} {:?} {state:?} {before} {after} {wallet} {:?}",
        commission(kind, paid, refunded, rate),
        commission_clawback(state, before, after, wallet),
    )
}

pub(super) fn proxy_user(generator: &mut Generator) -> String {
    let cycle = *generator.pick(LimitCycle::ALL);
    let (created_at, now) = (generator.moment(), generator.moment());
    let zone = *generator.pick(crate::ZONES);
    let bytes = generator.draw() >> generator.below(64);
    let text = if generator.below(3) == 0 { generator.text(5) } else { format_gigabytes(bytes) };
    format!(
        "{cycle:?} {zone} {created_at} {now} {:?} {bytes} {text} {:?}",
        time_zone(zone).map(|zone| cycle_of(cycle, zone, created_at, now)),
        parse_gigabytes(&text)
    )
}

pub(super) fn account_form(generator: &mut Generator) -> String {
    let details = AccountDetails {
        first_name: generator.text(6),
        last_name: generator.word(90),
        company_name: generator.text(9),
        phone: format!("{}{}{}", generator.pick(&["+", "", "+0"]), generator.below(1 << 50), generator.text(1)),
        tax_number: generator.word(36),
        website: generator.web_address(),
        messenger: generator.text(4),
        address: generator.word(210),
        city: generator.text(3),
        country: generator.pick(&["us", "CN", "XX", "", "U", "密"]).to_string(),
        postal_code: generator.word(20),
    };
    let password = PasswordChangeForm { current_password: generator.text(9), new_password: generator.word(14) };
    let (email, score) = (generator.word(9), generator.below(6) as u8);
    format!(
        "{details:?} {:?} {password:?} {email} {:?} {score} {:?} {:?}",
        profile::validate_account_details(&details),
        profile::validate_password_change(&password, &email),
        profile::validate_password_score("Password", score),
        profile::password_context(&email, &details.company_name),
    )
}

pub(super) fn node_forms(generator: &mut Generator) -> String {
    let credentials = NodeAccountForm { user_name: generator.word(36), password: generator.word(70) };
    let group = PlanGroupForm {
        name: generator.word(44),
        colour: generator.pick(&["", "#00ff7F", "#00ff7", "red", "#gggggg"]).to_string(),
        note: generator.text(300),
    };
    format!(
        "{credentials:?} {:?} {group:?} {:?} {} {:?} {:?} {:?}",
        node_forms::validate_node_account(&credentials),
        node_forms::validate_plan_group(&group),
        node_forms::plan_group_key(&group.name),
        node_forms::validate_node_note(&group.note),
        network::validate_whitelist_label(&group.name),
        node_forms::validate_switch_reason(&group.note),
    )
}

pub(super) fn proxy_user_form(generator: &mut Generator) -> String {
    let form = ProxyUserForm {
        name: generator.word(20),
        password: generator.word(20),
        note: generator.text(4),
        limit_gigabytes: generator.typed_amount(),
        limit_cycle: *generator.pick(LimitCycle::ALL),
        expires_at: if generator.below(3) == 0 { String::new() } else { generator.time() },
        countries: (0..generator.below(4)).map(|_| generator.pick(&["US", "de", "XX", ""]).to_string()).collect(),
        max_connections: generator.pick(&["", "0", "50", "100000", "100001", " 7 ", "+1", "x"]).to_string(),
        max_megabits: generator.pick(&["", "0", "1", "10000", "10001", "1.5"]).to_string(),
    };
    let now = generator.moment();
    format!("{form:?} {now} {:?}", validate_proxy_user(&form, now))
}

pub(super) fn webhook(generator: &mut Generator) -> String {
    let form = WebhookForm { url: generator.web_address(), description: generator.text(5), ..WebhookForm::default() };
    let address: IpAddr = if generator.below(2) == 0 {
        IpAddr::from((generator.draw() as u32).to_be_bytes())
    } else {
        let high = generator.pick(&[0, 0x2002 << 112, 0x64_ff9b << 96, 0xfe80 << 112, 0x2000 << 112, 0xffff << 32]);
        IpAddr::from((high | u128::from(generator.draw() >> generator.below(64))).to_be_bytes())
    };
    format!(
        "{form:?} {:?} {:?} {:?} {address} {}",
        WebAddress::parse(&form.url),
        validate_webhook(&form, Reach::Internet),
        validate_webhook(&form, Reach::Anywhere),
        Network::of(address).is_public(),
    )
}

pub(super) fn wallet_forms(generator: &mut Generator) -> String {
    let form = AutoTopUpForm {
        is_on: generator.below(8) > 0,
        threshold: generator.typed_amount(),
        amount: generator.typed_amount(),
        monthly_limit: generator.typed_amount(),
    };
    let settings = AutoTopUp {
        threshold: generator.money(2_000),
        amount: generator.money(2_000),
        monthly_limit: generator.money(9_000),
    };
    let (balance, charged) = (generator.money(3_000), generator.money(9_000));
    let (code, message) = (generator.word(36), generator.text(6));
    format!(
        "{form:?} {:?} {settings:?} {balance} {charged} {:?} {:?} {code} {:?} {:?} {message} {:?}",
        wallet_forms::validate_auto_top_up(&form, MIN_TOP_UP, MAX_TOP_UP),
        auto_top_up::auto_top_up_due(&settings, balance, charged),
        wallet_forms::validate_low_balance_alert(&form.threshold),
        wallet_forms::validate_coupon_code(&code),
        wallet_forms::validate_invite_code(&code),
        validate_message(&message),
    )
}

pub(super) fn operator_forms(generator: &mut Generator) -> String {
    let tiers = Catalogue::default().tiers;
    let often_empty =
        |generator: &mut Generator, text: String| if generator.below(2) == 0 { String::new() } else { text };
    let (percent, amount) = (generator.typed_amount(), generator.typed_amount());
    let (minimum, from, until) = (generator.typed_amount(), generator.time(), generator.time());
    let coupon = CouponForm {
        code: generator.word(20),
        percent: often_empty(generator, percent),
        amount: often_empty(generator, amount),
        minimum: often_empty(generator, minimum),
        products: (0..generator.below(3)).map(|_| generator.pick(&tiers).ver_str.clone()).collect(),
        uses_per_account: generator.pick(&["", "1", "0", "x", "1000001"]).to_string(),
        total_uses: generator.pick(&["", "1", "0", "x", "1000001"]).to_string(),
        first_order_only: generator.below(2) == 0,
        valid_from: often_empty(generator, from),
        valid_until: often_empty(generator, until),
    };
    let form = ReasonedAmountForm { amount: generator.typed_amount(), reason: generator.text(6) };
    let (paid, refunded) = (generator.money(2_000_000), generator.money(9_000));
    format!(
        "{coupon:?} {:?} {form:?} {:?} {paid} {refunded} {:?}",
        validate_coupon(&coupon, &Catalogue::default()),
        validate_credit(&form),
        validate_refund(&form, paid, refunded),
    )
}

pub fn quote_request(generator: &mut Generator) -> QuoteRequest {
    let tiers = Catalogue::default().tiers;
    let line = |generator: &mut Generator| LineRequest {
        country: "US".to_owned(),
        city: format!("city-{}", generator.below(30)),
        quantity: {
            let limit = *generator.pick(&[2, 10, 700]);
            generator.below(limit) as u32
        },
    };
    QuoteRequest {
        ver_str: generator.pick(&tiers).ver_str.clone(),
        period_days: *generator.pick(&[30, 90, 180, 360, 31]),
        lines: (0..generator.below(8)).map(|_| line(generator)).collect(),
        target: None,
    }
}
