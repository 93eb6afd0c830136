//! The tables, as both databases have them.
use diesel::{allow_columns_to_appear_in_same_group_by_clause, allow_tables_to_appear_in_same_query, table};

table! {
    accounts (id) {
        id -> BigInt,
        level -> crate::columns::AccountsLevel,
        state -> crate::columns::AccountsState,
        invite_code -> Text,
        invited_by -> Nullable<BigInt>,
        marketing -> Text,
        show_invitation_code -> Bool,
        show_access_token -> Bool,
        company_name -> Text,
        first_name -> Text,
        last_name -> Text,
        address -> Text,
        city -> Text,
        country -> Text,
        postal_code -> Text,
        phone -> Text,
        tax_number -> Text,
        website -> Text,
        messenger -> Text,
        reseller_basis_points -> Integer,
        created_at -> Timestamp,
        closed_at -> Nullable<Timestamp>,
        note -> Text,
        staff_role -> crate::columns::AccountsStaffRole,
    }
}

table! {
    list_totals (list, account_id) {
        list -> Text,
        account_id -> BigInt,
        total -> BigInt,
    }
}

// PostgreSQL only; SQLite has two full-text search tables instead.
table! {
    node_search (node_id) {
        node_id -> BigInt,
        text -> Text,
        parts -> Array<Text>,
    }
}

table! {
    users (id) {
        id -> BigInt,
        account_id -> BigInt,
        email -> Text,
        password_hash -> Text,
        language -> crate::columns::UsersLanguage,
        time_zone -> Text,
        created_at -> Timestamp,
        read_up_to -> BigInt,
        inbox -> Text,
    }
}

table! {
    api_keys (id) {
        id -> BigInt,
        account_id -> BigInt,
        user_id -> BigInt,
        name -> Text,
        key_sha256 -> Text,
        prefix -> Text,
        sealed_key -> Nullable<Text>,
        scopes -> Text,
        addresses -> Text,
        expires_at -> Nullable<Timestamp>,
        revoked_at -> Nullable<Timestamp>,
        last_used_at -> Nullable<Timestamp>,
        last_used_address -> Nullable<Text>,
        limited_window -> BigInt,
        limited_calls -> Integer,
        created_at -> Timestamp,
    }
}

table! {
    avatars (account_id) {
        account_id -> BigInt,
        png -> Binary,
        changed_at -> Timestamp,
    }
}

table! {
    events (id) {
        id -> BigInt,
        account_id -> BigInt,
        kind -> crate::columns::EventsKind,
        data -> Text,
        created_at -> Timestamp,
        is_dispatched -> Bool,
    }
}

table! {
    webhooks (id) {
        id -> BigInt,
        account_id -> BigInt,
        url -> Text,
        description -> Text,
        events -> Nullable<Text>,
        state -> crate::columns::WebhooksState,
        secret_sealed -> Text,
        old_secret_sealed -> Nullable<Text>,
        old_secret_until -> Nullable<Timestamp>,
        failing_since -> Nullable<Timestamp>,
        failures_in_row -> Integer,
        next_look_at -> Nullable<Timestamp>,
        held_until -> Nullable<Timestamp>,
        rests_until -> Nullable<Timestamp>,
        created_at -> Timestamp,
        deleted_at -> Nullable<Timestamp>,
        is_of_shop -> Bool,
    }
}

table! {
    webhook_deliveries (id) {
        id -> BigInt,
        webhook_id -> BigInt,
        account_id -> BigInt,
        event_id -> BigInt,
        message_id -> Text,
        kind -> crate::columns::WebhookDeliveriesKind,
        state -> crate::columns::WebhookDeliveriesState,
        body -> Text,
        attempts -> Integer,
        attempts_in_series -> Integer,
        next_attempt_at -> Nullable<Timestamp>,
        last_attempt_at -> Nullable<Timestamp>,
        last_status -> Nullable<Integer>,
        last_problem -> Nullable<crate::columns::WebhookDeliveriesLastProblem>,
        last_duration_ms -> Nullable<Integer>,
        created_at -> Timestamp,
    }
}

table! {
    webhook_attempts (id) {
        id -> BigInt,
        delivery_id -> BigInt,
        webhook_id -> BigInt,
        attempted_at -> Timestamp,
        duration_ms -> Integer,
        status -> Nullable<Integer>,
        problem -> Nullable<crate::columns::WebhookAttemptsProblem>,
        request_headers -> Text,
        answer_headers -> Text,
        answer -> Text,
    }
}

table! {
    wallet_adjustments (id) {
        id -> BigInt,
        account_id -> BigInt,
        adjustment -> crate::columns::WalletAdjustmentsAdjustment,
        reason -> Text,
    }
}

table! {
    audit_entries (id) {
        id -> BigInt,
        at -> Timestamp,
        action -> crate::columns::AuditEntriesAction,
        channel -> crate::columns::AuditEntriesChannel,
        user_id -> Nullable<BigInt>,
        actor -> Text,
        address -> Text,
        account_id -> Nullable<BigInt>,
        subject -> Text,
        reason -> Text,
        changes -> Text,
    }
}

table! {
    sessions (id) {
        id -> BigInt,
        user_id -> BigInt,
        token_sha256 -> Text,
        address -> Text,
        user_agent -> Text,
        created_at -> Timestamp,
        expires_at -> Timestamp,
        revoked_at -> Nullable<Timestamp>,
        last_used_at -> Nullable<Timestamp>,
        confirmed_at -> Nullable<Timestamp>,
        operator_id -> Nullable<BigInt>,
    }
}

table! {
    two_factors (user_id) {
        user_id -> BigInt,
        secret_sealed -> Text,
        begun_at -> Timestamp,
        turned_on_at -> Nullable<Timestamp>,
        last_step -> BigInt,
        recovery_salt -> Text,
    }
}

table! {
    recovery_codes (user_id, code_hash) {
        user_id -> BigInt,
        code_hash -> Text,
        used_at -> Nullable<Timestamp>,
    }
}

table! {
    security_log (id) {
        id -> BigInt,
        user_id -> BigInt,
        kind -> crate::columns::SecurityLogKind,
        address -> Text,
        user_agent -> Text,
        detail -> Text,
        created_at -> Timestamp,
    }
}

table! {
    failed_sign_ins (id) {
        id -> BigInt,
        email -> Text,
        address -> Text,
        user_agent -> Text,
        created_at -> Timestamp,
    }
}

table! {
    email_changes (id) {
        id -> BigInt,
        user_id -> BigInt,
        old_email -> Text,
        new_email -> Text,
        confirm_sha256 -> Text,
        stop_sha256 -> Text,
        state -> crate::columns::EmailChangesState,
        created_at -> Timestamp,
    }
}

table! {
    sign_ups (id) {
        id -> BigInt,
        token_sha256 -> Text,
        email -> Text,
        password_hash -> Text,
        invite_code -> Text,
        marketing -> Text,
        language -> crate::columns::SignUpsLanguage,
        time_zone -> Text,
        created_at -> Timestamp,
        expires_at -> Timestamp,
        used_at -> Nullable<Timestamp>,
        accepted_texts -> Text,
    }
}

table! {
    password_resets (id) {
        id -> BigInt,
        token_sha256 -> Text,
        user_id -> BigInt,
        created_at -> Timestamp,
        expires_at -> Timestamp,
        used_at -> Nullable<Timestamp>,
    }
}

table! {
    link_requests (id) {
        id -> BigInt,
        kind -> crate::columns::LinkRequestsKind,
        email -> Text,
        language -> crate::columns::LinkRequestsLanguage,
        newcomer -> Nullable<Text>,
        created_at -> Timestamp,
    }
}

table! {
    known_devices (user_id, device_sha256) {
        user_id -> BigInt,
        device_sha256 -> Text,
        first_seen_at -> Timestamp,
        last_seen_at -> Timestamp,
    }
}

table! {
    demo_data (id) {
        id -> SmallInt,
        seeded_at -> Timestamp,
    }
}

table! {
    secret_checks (purpose) {
        purpose -> Text,
        sealed -> Text,
    }
}

table! {
    shop_settings (name) {
        name -> Text,
        value -> Text,
    }
}

table! {
    throttles (bucket) {
        bucket -> Text,
        hits -> Integer,
        window_ends_at -> Timestamp,
    }
}

table! {
    mails (id) {
        id -> BigInt,
        recipient -> Text,
        language -> crate::columns::MailsLanguage,
        template -> crate::columns::MailsTemplate,
        parameters -> Text,
        parameters_sealed -> Nullable<Text>,
        state -> crate::columns::MailsState,
        attempts -> Integer,
        next_attempt_at -> Timestamp,
        created_at -> Timestamp,
        sent_at -> Nullable<Timestamp>,
        user_id -> Nullable<BigInt>,
        event_kind -> Nullable<crate::columns::MailsEventKind>,
        error -> Text,
    }
}

table! {
    job_runs (job) {
        job -> crate::columns::JobRunsJob,
        pause_seconds -> Integer,
        began_at -> Timestamp,
        took_ms -> BigInt,
        error -> Text,
        failing_since -> Nullable<Timestamp>,
    }
}

table! {
    backups (id) {
        id -> BigInt,
        began_at -> Timestamp,
        took_ms -> BigInt,
        bytes -> BigInt,
        is_encrypted -> Bool,
        file_name -> Text,
    }
}

table! {
    shop_days (day) {
        day -> Date,
        orders -> BigInt,
        revenue_minor -> BigInt,
        refunded_minor -> BigInt,
        new_accounts -> BigInt,
        traffic_bytes -> BigInt,
        customers -> Nullable<BigInt>,
        customers_left -> Nullable<BigInt>,
        counted_at -> Timestamp,
    }
}

table! {
    shop_sales (day, product) {
        day -> Date,
        product -> Text,
        orders -> BigInt,
        revenue_minor -> BigInt,
    }
}

table! {
    shop_customers (account_id) {
        account_id -> BigInt,
    }
}

table! {
    idempotency_keys (account_id, idempotency_key) {
        account_id -> BigInt,
        idempotency_key -> Text,
        body_sha256 -> Text,
        answer -> Text,
        created_at -> Timestamp,
    }
}

table! {
    tiers (ver_str) {
        ver_str -> Text,
        node_type -> SmallInt,
        label_en -> Text,
        label_zh -> Text,
        desc_en -> Text,
        desc_zh -> Text,
        price_minor -> BigInt,
        position -> Integer,
        is_sold -> Bool,
        max_connections -> Nullable<Integer>,
        max_megabits -> Nullable<Integer>,
    }
}

table! {
    periods (period_days) {
        period_days -> Integer,
        discount_basis_points -> Integer,
    }
}

table! {
    quantity_steps (min_quantity) {
        min_quantity -> Integer,
        discount_basis_points -> Integer,
    }
}

table! {
    targets (target) {
        target -> Text,
        name_en -> Text,
        name_zh -> Text,
        category -> Text,
        position -> Integer,
    }
}

table! {
    plans (id) {
        id -> BigInt,
        account_id -> BigInt,
        ver_str -> Text,
        auto_renew -> Bool,
        access_mode -> crate::columns::PlansAccessMode,
        user_name -> Nullable<Text>,
        password_sealed -> Nullable<Text>,
        old_user_name -> Nullable<Text>,
        old_password_sealed -> Nullable<Text>,
        old_valid_until -> Nullable<Timestamp>,
        created_at -> Timestamp,
    }
}

table! {
    plan_groups (id) {
        id -> BigInt,
        account_id -> BigInt,
        name -> Text,
        colour -> Text,
        note -> Text,
        created_at -> Timestamp,
    }
}

table! {
    orders (id) {
        id -> BigInt,
        order_number -> Text,
        account_id -> BigInt,
        kind -> crate::columns::OrdersKind,
        state -> crate::columns::OrdersState,
        currency -> crate::columns::OrdersCurrency,
        ver_str -> Nullable<Text>,
        period_days -> Nullable<Integer>,
        subtotal_minor -> BigInt,
        discount_minor -> BigInt,
        total_minor -> BigInt,
        refunded_minor -> BigInt,
        discounts -> Text,
        coupon -> Nullable<Text>,
        created_at -> Timestamp,
        expires_at -> Timestamp,
        paid_at -> Nullable<Timestamp>,
        ended_at -> Nullable<Timestamp>,
        group_id -> Nullable<BigInt>,
        auto_renew -> Nullable<Bool>,
        lost_minor -> BigInt,
    }
}

table! {
    order_lines (id) {
        id -> BigInt,
        order_id -> BigInt,
        ver_str -> Text,
        country -> Nullable<Text>,
        city -> Nullable<Text>,
        quantity -> Integer,
        unit_price_minor -> BigInt,
        amount_minor -> BigInt,
        net_minor -> BigInt,
    }
}

table! {
    nodes (id) {
        id -> BigInt,
        ip -> Text,
        http_port -> Integer,
        socks5_port -> Nullable<Integer>,
        country -> Text,
        city -> Text,
        isp -> Text,
        asn -> BigInt,
        ver_str -> Text,
        node_type -> SmallInt,
        state -> crate::columns::NodesState,
        order_id -> Nullable<BigInt>,
        account_id -> Nullable<BigInt>,
        plan_id -> Nullable<BigInt>,
        group_id -> Nullable<BigInt>,
        user_name -> Nullable<Text>,
        password_sealed -> Nullable<Text>,
        old_user_name -> Nullable<Text>,
        old_password_sealed -> Nullable<Text>,
        old_valid_until -> Nullable<Timestamp>,
        note -> Text,
        auto_renew -> Bool,
        period_days -> Nullable<Integer>,
        next_renewal_at -> Nullable<Timestamp>,
        next_reminder_at -> Nullable<Timestamp>,
        switched_at -> Nullable<Timestamp>,
        supplier -> Text,
        cost_minor -> BigInt,
        assigned_at -> Nullable<Timestamp>,
        expires_at -> Nullable<Timestamp>,
        free_at -> Nullable<Timestamp>,
        server_id -> Nullable<BigInt>,
    }
}

table! {
    node_targets (target, node_id) {
        target -> Text,
        node_id -> BigInt,
    }
}

table! {
    order_nodes (order_id, node_id) {
        order_id -> BigInt,
        node_id -> BigInt,
        net_minor -> BigInt,
        starts_at -> Nullable<Timestamp>,
        ends_at -> Nullable<Timestamp>,
    }
}

table! {
    node_switches (id) {
        id -> BigInt,
        account_id -> BigInt,
        user_id -> BigInt,
        old_node_id -> BigInt,
        new_node_id -> BigInt,
        old_ip -> Text,
        new_ip -> Text,
        country -> Text,
        city -> Text,
        ver_str -> Text,
        mode -> crate::columns::NodeSwitchesMode,
        uses_quota -> Bool,
        reason -> Text,
        cost_minor -> BigInt,
        currency -> crate::columns::NodeSwitchesCurrency,
        order_id -> Nullable<BigInt>,
        created_at -> Timestamp,
    }
}

table! {
    white_list (id) {
        id -> BigInt,
        account_id -> BigInt,
        ver_str -> Text,
        address -> Text,
        label -> Text,
        created_at -> Timestamp,
        last_used_at -> Nullable<Timestamp>,
    }
}

table! {
    payments (id) {
        id -> BigInt,
        public_id -> Text,
        account_id -> BigInt,
        order_id -> BigInt,
        payment_method -> crate::columns::PaymentsPaymentMethod,
        state -> crate::columns::PaymentsState,
        amount_minor -> BigInt,
        currency -> crate::columns::PaymentsCurrency,
        language -> crate::columns::PaymentsLanguage,
        charge_id -> Nullable<Text>,
        card_id -> Nullable<BigInt>,
        created_at -> Timestamp,
        settled_at -> Nullable<Timestamp>,
        next_query_at -> Nullable<Timestamp>,
        charged_minor -> Nullable<BigInt>,
        charged_currency -> Nullable<crate::columns::PaymentsChargedCurrency>,
        rate_micro -> Nullable<BigInt>,
    }
}

table! {
    payment_arrivals (id) {
        id -> BigInt,
        payment_id -> BigInt,
        charge -> Text,
        arrived_minor -> BigInt,
        credited_minor -> BigInt,
        reference -> Text,
        created_at -> Timestamp,
    }
}

table! {
    payment_cases (id) {
        id -> BigInt,
        gateway -> crate::columns::PaymentCasesGateway,
        kind -> crate::columns::PaymentCasesKind,
        subject -> Text,
        payment_id -> Nullable<BigInt>,
        due_minor -> Nullable<BigInt>,
        credited_minor -> Nullable<BigInt>,
        currency -> crate::columns::PaymentCasesCurrency,
        reported_minor -> Nullable<BigInt>,
        reported_currency -> Nullable<crate::columns::PaymentCasesReportedCurrency>,
        opened_at -> Timestamp,
        closed_at -> Nullable<Timestamp>,
        closed_by -> Text,
        note -> Text,
    }
}

table! {
    payment_returns (id) {
        id -> BigInt,
        payment_id -> BigInt,
        account_id -> BigInt,
        reference -> Text,
        kind -> crate::columns::PaymentReturnsKind,
        state -> crate::columns::PaymentReturnsState,
        reported_minor -> BigInt,
        reported_currency -> crate::columns::PaymentReturnsReportedCurrency,
        claimed_minor -> BigInt,
        taken_minor -> BigInt,
        uncovered_minor -> BigInt,
        postings -> Integer,
        reason -> Text,
        due_at -> Nullable<Timestamp>,
        opened_at -> Timestamp,
        changed_at -> Timestamp,
    }
}

table! {
    source_refunds (return_id) {
        return_id -> BigInt,
        refund_id -> Nullable<BigInt>,
        charge -> Text,
        gateway_reference -> Nullable<Text>,
        claim_url -> Nullable<Text>,
        is_by_hand -> Bool,
        may_be_sent -> Bool,
        trouble -> Text,
        next_try_at -> Nullable<Timestamp>,
        created_at -> Timestamp,
    }
}

table! {
    exchange_rates (currency) {
        currency -> crate::columns::ExchangeRatesCurrency,
        rate_micro -> BigInt,
        feed_url -> Nullable<Text>,
        feed_path -> Nullable<Text>,
        margin_basis_points -> Integer,
        set_at -> Timestamp,
        problem -> Nullable<crate::columns::ExchangeRatesProblem>,
    }
}

table! {
    remembered_cards (id) {
        id -> BigInt,
        account_id -> BigInt,
        payment_method -> crate::columns::RememberedCardsPaymentMethod,
        reference_sealed -> Nullable<Text>,
        brand -> Text,
        last_four -> Text,
        expires_month -> Integer,
        expires_year -> Integer,
        created_at -> Timestamp,
        forgotten_at -> Nullable<Timestamp>,
        forget_at -> Nullable<Timestamp>,
    }
}

table! {
    card_requests (id) {
        id -> BigInt,
        public_id -> Text,
        account_id -> BigInt,
        payment_method -> crate::columns::CardRequestsPaymentMethod,
        state -> crate::columns::CardRequestsState,
        language -> crate::columns::CardRequestsLanguage,
        session_id -> Nullable<Text>,
        created_at -> Timestamp,
        next_query_at -> Nullable<Timestamp>,
    }
}

table! {
    auto_top_ups (account_id) {
        account_id -> BigInt,
        is_on -> Bool,
        threshold_minor -> BigInt,
        amount_minor -> BigInt,
        monthly_limit_minor -> BigInt,
        agreed_at -> Timestamp,
        failures -> Integer,
        failure -> Nullable<crate::columns::AutoTopUpsFailure>,
        failed_at -> Nullable<Timestamp>,
        limit_told_at -> Nullable<Timestamp>,
    }
}

table! {
    sandbox_cards (public_id) {
        public_id -> Text,
        behaviour -> crate::columns::SandboxCardsBehaviour,
    }
}

table! {
    sandbox_charges (public_id) {
        public_id -> Text,
        amount_minor -> BigInt,
        currency -> crate::columns::SandboxChargesCurrency,
        outcome -> crate::columns::SandboxChargesOutcome,
    }
}

table! {
    sandbox_returns (reference) {
        reference -> Text,
        public_id -> Text,
        kind -> crate::columns::SandboxReturnsKind,
        state -> crate::columns::SandboxReturnsState,
        amount_minor -> BigInt,
    }
}

table! {
    gateway_callbacks (id) {
        id -> BigInt,
        gateway -> crate::columns::GatewayCallbacksGateway,
        body -> Nullable<Binary>,
        size_bytes -> BigInt,
        body_sha256 -> Text,
        beginning -> Text,
        signature -> Text,
        sender -> Text,
        payment_id -> Nullable<BigInt>,
        verdict -> Nullable<crate::columns::GatewayCallbacksVerdict>,
        received_at -> Timestamp,
        judged_at -> Nullable<Timestamp>,
    }
}

table! {
    forged_callbacks (day, gateway) {
        day -> Date,
        gateway -> crate::columns::ForgedCallbacksGateway,
        arrived -> BigInt,
    }
}

table! {
    write_probes (id) {
        id -> SmallInt,
        written_at -> Timestamp,
    }
}

table! {
    limits (limit_name) {
        limit_name -> crate::columns::LimitsLimitName,
        most -> Integer,
    }
}

table! {
    hold_steps (min_standing_minor) {
        min_standing_minor -> BigInt,
        max_ips -> Integer,
    }
}

table! {
    wallets (account_id) {
        account_id -> BigInt,
        currency -> crate::columns::WalletsCurrency,
        balance_minor -> BigInt,
        total_expenses_minor -> BigInt,
        low_balance_minor -> Nullable<BigInt>,
        is_told_of_low_balance -> Bool,
        is_watched -> Bool,
        next_look_at -> Nullable<Timestamp>,
        owed_minor -> BigInt,
        is_to_end -> Bool,
    }
}

table! {
    ledger_transactions (id) {
        id -> BigInt,
        account_id -> BigInt,
        kind -> crate::columns::LedgerTransactionsKind,
        reference -> Text,
        order_id -> Nullable<BigInt>,
        wallet_change_minor -> BigInt,
        balance_after_minor -> BigInt,
        currency -> crate::columns::LedgerTransactionsCurrency,
        created_at -> Timestamp,
    }
}

table! {
    ledger_entries (id) {
        id -> BigInt,
        transaction_id -> BigInt,
        book -> crate::columns::LedgerEntriesBook,
        account_id -> Nullable<BigInt>,
        amount_minor -> BigInt,
    }
}

table! {
    coupons (code) {
        code -> Text,
        basis_points -> Nullable<Integer>,
        amount_minor -> Nullable<BigInt>,
        minimum_minor -> BigInt,
        products -> Text,
        uses_per_account -> Nullable<Integer>,
        valid_from -> Nullable<Timestamp>,
        valid_until -> Nullable<Timestamp>,
        created_at -> Timestamp,
        total_uses -> Nullable<Integer>,
        first_order_only -> Bool,
    }
}

table! {
    planned_prices (id) {
        id -> BigInt,
        form -> Text,
        valid_from -> Timestamp,
        user_id -> BigInt,
        created_at -> Timestamp,
    }
}

table! {
    sellers (id) {
        id -> SmallInt,
        name -> Text,
        address -> Text,
        tax_number -> Text,
        email -> Text,
    }
}

table! {
    invoice_counters (series) {
        series -> Text,
        last_number -> BigInt,
    }
}

table! {
    invoices (id) {
        id -> BigInt,
        kind -> crate::columns::InvoicesKind,
        invoice_number -> Text,
        series -> Text,
        number_in_series -> BigInt,
        account_id -> BigInt,
        order_id -> BigInt,
        corrects_id -> Nullable<BigInt>,
        currency -> crate::columns::InvoicesCurrency,
        total_minor -> BigInt,
        snapshot -> Text,
        issued_at -> Timestamp,
    }
}

table! {
    refunds (id) {
        id -> BigInt,
        order_id -> BigInt,
        account_id -> BigInt,
        user_id -> Nullable<BigInt>,
        credit_note_id -> Nullable<BigInt>,
        amount_minor -> BigInt,
        reason -> Text,
        created_at -> Timestamp,
    }
}

table! {
    // On PostgreSQL it has no primary key: the rows of one place add up.
    stock (target, ver_str, country, city, isp, node_type) {
        target -> Text,
        ver_str -> Text,
        country -> Text,
        city -> Text,
        isp -> Text,
        node_type -> SmallInt,
        served -> BigInt,
        available -> BigInt,
    }
}

table! {
    refund_nodes (refund_id, node_id) {
        refund_id -> BigInt,
        node_id -> BigInt,
        ended_node_id -> BigInt,
        paid_minor -> BigInt,
        refunded_minor -> BigInt,
        unused_seconds -> BigInt,
        amount_minor -> BigInt,
    }
}

table! {
    alarms (alarm) {
        alarm -> crate::columns::AlarmsAlarm,
        problems -> Text,
        raised_at -> Timestamp,
        checked_at -> Timestamp,
    }
}

table! {
    daily_jobs (job) {
        job -> Text,
        next_run_at -> Timestamp,
    }
}

table! {
    traffic_steps (period_days, min_gigabytes) {
        period_days -> Integer,
        min_gigabytes -> Integer,
        price_minor -> BigInt,
    }
}

table! {
    traffic_batches (id) {
        id -> BigInt,
        account_id -> BigInt,
        order_id -> BigInt,
        bought_bytes -> BigInt,
        used_bytes -> BigInt,
        returned_bytes -> BigInt,
        is_reorder -> Bool,
        begins_at -> Timestamp,
        ends_at -> Nullable<Timestamp>,
        next_reminder_at -> Nullable<Timestamp>,
    }
}

table! {
    traffic_accounts (account_id) {
        account_id -> BigInt,
        overdraft_bytes -> BigInt,
        changed_at -> Timestamp,
        next_look_at -> Nullable<Timestamp>,
    }
}

table! {
    traffic_reorders (account_id) {
        account_id -> BigInt,
        is_on -> Bool,
        threshold_bytes -> BigInt,
        gigabytes -> Integer,
        period_days -> Integer,
        monthly_limit_minor -> BigInt,
        agreed_at -> Timestamp,
        failure -> Nullable<crate::columns::TrafficReordersFailure>,
        failed_at -> Nullable<Timestamp>,
        limit_told_at -> Nullable<Timestamp>,
    }
}

table! {
    proxy_users (id) {
        id -> BigInt,
        account_id -> BigInt,
        name -> Text,
        password_sealed -> Text,
        old_password_sealed -> Nullable<Text>,
        old_valid_until -> Nullable<Timestamp>,
        note -> Text,
        state -> crate::columns::ProxyUsersState,
        limit_bytes -> Nullable<BigInt>,
        limit_cycle -> crate::columns::ProxyUsersLimitCycle,
        used_bytes -> BigInt,
        total_bytes -> BigInt,
        cycle_starts_at -> Timestamp,
        cycle_ends_at -> Nullable<Timestamp>,
        expires_at -> Nullable<Timestamp>,
        countries -> Text,
        last_used_at -> Nullable<Timestamp>,
        created_at -> Timestamp,
        changed_at -> Timestamp,
        deleted_at -> Nullable<Timestamp>,
        max_connections -> Nullable<Integer>,
        max_megabits -> Nullable<Integer>,
    }
}

table! {
    proxy_user_addresses (id) {
        id -> BigInt,
        account_id -> BigInt,
        proxy_user_id -> BigInt,
        address -> Text,
        label -> Text,
        created_at -> Timestamp,
        last_used_at -> Nullable<Timestamp>,
    }
}

table! {
    proxy_servers (id) {
        id -> BigInt,
        name -> Text,
        kind -> crate::columns::ProxyServersKind,
        host -> Text,
        http_port -> Integer,
        socks5_port -> Nullable<Integer>,
        secret_sha256 -> Text,
        created_at -> Timestamp,
        last_seen_at -> Nullable<Timestamp>,
        removed_at -> Nullable<Timestamp>,
        heartbeat -> Nullable<Text>,
        heartbeat_at -> Nullable<Timestamp>,
        first_heartbeat_at -> Nullable<Timestamp>,
    }
}

table! {
    proxy_server_outages (id) {
        id -> BigInt,
        server_id -> BigInt,
        cause -> crate::columns::ProxyServerOutagesCause,
        began_at -> Timestamp,
        ended_at -> Nullable<Timestamp>,
    }
}

table! {
    proxy_server_watch (id) {
        id -> BigInt,
        since -> Timestamp,
        watched_at -> Timestamp,
    }
}

table! {
    usage_records (server_id, record_id, used_at) {
        server_id -> BigInt,
        record_id -> Text,
        used_at -> Timestamp,
        account_id -> BigInt,
        proxy_user_id -> Nullable<BigInt>,
        node_id -> Nullable<BigInt>,
        country -> Text,
        target -> Text,
        upload_bytes -> BigInt,
        download_bytes -> BigInt,
        received_at -> Timestamp,
    }
}

table! {
    usage_reports (id) {
        id -> BigInt,
        sums -> Text,
        received_at -> Timestamp,
    }
}

table! {
    rejected_usage (id) {
        id -> BigInt,
        server_id -> BigInt,
        record_sha256 -> Text,
        record -> Text,
        reason -> crate::columns::RejectedUsageReason,
        times -> BigInt,
        received_at -> Timestamp,
    }
}

table! {
    usage_hours (account_id, kind, dimension, starts_at, name) {
        account_id -> BigInt,
        kind -> crate::columns::UsageHoursKind,
        dimension -> crate::columns::UsageHoursDimension,
        starts_at -> Timestamp,
        name -> Text,
        upload_bytes -> BigInt,
        download_bytes -> BigInt,
        requests -> BigInt,
    }
}

table! {
    usage_days (account_id, kind, dimension, starts_at, name) {
        account_id -> BigInt,
        kind -> crate::columns::UsageDaysKind,
        dimension -> crate::columns::UsageDaysDimension,
        starts_at -> Timestamp,
        name -> Text,
        upload_bytes -> BigInt,
        download_bytes -> BigInt,
        requests -> BigInt,
    }
}

table! {
    usage_months (account_id, kind, dimension, starts_at, name) {
        account_id -> BigInt,
        kind -> crate::columns::UsageMonthsKind,
        dimension -> crate::columns::UsageMonthsDimension,
        starts_at -> Timestamp,
        name -> Text,
        upload_bytes -> BigInt,
        download_bytes -> BigInt,
        requests -> BigInt,
    }
}

table! {
    endpoint_presets (id) {
        id -> BigInt,
        account_id -> BigInt,
        name -> Text,
        settings -> Text,
        created_at -> Timestamp,
    }
}

table! {
    endpoint_lists (id) {
        id -> BigInt,
        account_id -> BigInt,
        proxy_user_id -> BigInt,
        name -> Text,
        token_sha256 -> Text,
        settings -> Text,
        created_at -> Timestamp,
        last_used_at -> Nullable<Timestamp>,
        last_address -> Nullable<Text>,
        uses -> BigInt,
        api_key_id -> Nullable<BigInt>,
    }
}

table! {
    referral_rules (id) {
        id -> BigInt,
        rate_basis_points -> Integer,
        valid_from -> Timestamp,
        user_id -> Nullable<BigInt>,
        created_at -> Timestamp,
    }
}

table! {
    referrals (account_id) {
        account_id -> BigInt,
        referrer_id -> BigInt,
        rule_id -> Nullable<BigInt>,
        review -> crate::columns::ReferralsReview,
        doubts -> Text,
        note -> Text,
        reviewed_by -> Nullable<BigInt>,
        reviewed_at -> Nullable<Timestamp>,
        created_at -> Timestamp,
    }
}

table! {
    referrers (account_id) {
        account_id -> BigInt,
        owed_minor -> BigInt,
    }
}

table! {
    commission_moves (id) {
        id -> BigInt,
        account_id -> BigInt,
        amount_minor -> BigInt,
        owed_minor -> BigInt,
        currency -> crate::columns::CommissionMovesCurrency,
        created_at -> Timestamp,
    }
}

table! {
    commissions (id) {
        id -> BigInt,
        referrer_id -> BigInt,
        account_id -> BigInt,
        order_id -> BigInt,
        rate_basis_points -> Integer,
        earned_minor -> BigInt,
        amount_minor -> BigInt,
        currency -> crate::columns::CommissionsCurrency,
        state -> crate::columns::CommissionsState,
        available_at -> Timestamp,
        move_id -> Nullable<BigInt>,
        moved_minor -> Nullable<BigInt>,
        created_at -> Timestamp,
    }
}

table! {
    commission_take_backs (id) {
        id -> BigInt,
        commission_id -> BigInt,
        refund_id -> BigInt,
        from_commission_minor -> BigInt,
        from_wallet_minor -> BigInt,
        owed_minor -> BigInt,
        created_at -> Timestamp,
    }
}

table! {
    commission_losses (id) {
        id -> BigInt,
        commission_id -> BigInt,
        return_id -> BigInt,
        from_commission_minor -> BigInt,
        from_wallet_minor -> BigInt,
        owed_minor -> BigInt,
        created_at -> Timestamp,
    }
}

table! {
    notification_reads (user_id, event_id) {
        user_id -> BigInt,
        event_id -> BigInt,
    }
}

table! {
    notification_choices (user_id, kind) {
        user_id -> BigInt,
        kind -> crate::columns::NotificationChoicesKind,
        on_screen -> Bool,
        by_mail -> Bool,
    }
}

table! {
    support_conversations (id) {
        id -> BigInt,
        account_id -> BigInt,
        state -> crate::columns::SupportConversationsState,
        version -> BigInt,
        message_count -> BigInt,
        attachment_bytes -> BigInt,
        last_id -> BigInt,
        customer_last_id -> BigInt,
        operator_last_id -> BigInt,
        customer_read_id -> BigInt,
        customer_told_id -> BigInt,
        customer_mail_at -> Nullable<Timestamp>,
        operator_read_id -> BigInt,
        operator_told_id -> BigInt,
        operator_mail_at -> Nullable<Timestamp>,
        waiting_since -> Nullable<Timestamp>,
        last_message_at -> Timestamp,
        changed_at -> Timestamp,
        created_at -> Timestamp,
    }
}

table! {
    support_messages (id) {
        id -> BigInt,
        conversation_id -> BigInt,
        kind -> crate::columns::SupportMessagesKind,
        side -> crate::columns::SupportMessagesSide,
        user_id -> BigInt,
        author -> Text,
        text -> Text,
        created_at -> Timestamp,
    }
}

table! {
    support_attachments (id) {
        id -> BigInt,
        user_id -> BigInt,
        message_id -> Nullable<BigInt>,
        name -> Text,
        kind -> crate::columns::SupportAttachmentsKind,
        size_bytes -> BigInt,
        width -> Nullable<Integer>,
        height -> Nullable<Integer>,
        created_at -> Timestamp,
        content -> Binary,
    }
}

table! {
    support_canned_answers (id) {
        id -> BigInt,
        title -> Text,
        text -> Text,
        changed_at -> Timestamp,
    }
}

table! {
    announcements (id) {
        id -> BigInt,
        tone -> crate::columns::AnnouncementsTone,
        text_en -> Text,
        text_zh -> Text,
        link -> Text,
        valid_from -> Timestamp,
        valid_until -> Nullable<Timestamp>,
        user_id -> BigInt,
        changed_at -> Timestamp,
    }
}

table! {
    legal_texts (id) {
        id -> BigInt,
        kind -> crate::columns::LegalTextsKind,
        version -> Integer,
        body_en -> Text,
        body_zh -> Text,
        user_id -> BigInt,
        published_at -> Timestamp,
    }
}

table! {
    legal_acceptances (user_id, legal_text_id) {
        legal_text_id -> BigInt,
        user_id -> BigInt,
        accepted_at -> Timestamp,
        address -> Text,
    }
}

allow_tables_to_appear_in_same_query!(
    accounts,
    audit_entries,
    wallet_adjustments,
    api_keys,
    avatars,
    auto_top_ups,
    card_requests,
    remembered_cards,
    gateway_callbacks,
    users,
    two_factors,
    recovery_codes,
    security_log,
    failed_sign_ins,
    email_changes,
    known_devices,
    events,
    webhooks,
    webhook_deliveries,
    webhook_attempts,
    sessions,
    nodes,
    node_switches,
    node_targets,
    order_nodes,
    invoices,
    refund_nodes,
    refunds,
    sellers,
    orders,
    order_lines,
    payments,
    payment_arrivals,
    payment_cases,
    payment_returns,
    source_refunds,
    exchange_rates,
    plans,
    plan_groups,
    wallets,
    ledger_transactions,
    ledger_entries,
    targets,
    tiers,
    white_list,
    announcements,
    legal_texts,
    legal_acceptances,
    traffic_accounts,
    traffic_batches,
    traffic_reorders,
    proxy_users,
    proxy_user_addresses,
    proxy_servers,
    proxy_server_outages,
    proxy_server_watch,
    rejected_usage,
    endpoint_lists,
    endpoint_presets,
    referral_rules,
    referrals,
    referrers,
    commissions,
    commission_moves,
    commission_take_backs,
    commission_losses,
    notification_reads,
    notification_choices,
    mails,
    support_conversations,
    support_messages,
    support_attachments,
);

allow_columns_to_appear_in_same_group_by_clause!(commissions::state, referrals::review);
