// Types of all text keys, derived from English.
import 'i18next';
import type account from '../../../locales/en/account.json';
import type accounts from '../../../locales/en/accounts.json';
import type audit from '../../../locales/en/audit.json';
import type auth from '../../../locales/en/auth.json';
import type billing from '../../../locales/en/billing.json';
import type business from '../../../locales/en/business.json';
import type common from '../../../locales/en/common.json';
import type coupons from '../../../locales/en/coupons.json';
import type errors from '../../../locales/en/errors.json';
import type generator from '../../../locales/en/generator.json';
import type inventory from '../../../locales/en/inventory.json';
import type invoices from '../../../locales/en/invoices.json';
import type mails from '../../../locales/en/mails.json';
import type nav from '../../../locales/en/nav.json';
import type notifications from '../../../locales/en/notifications.json';
import type orders from '../../../locales/en/orders.json';
import type payments from '../../../locales/en/payments.json';
import type prices from '../../../locales/en/prices.json';
import type proxy_servers from '../../../locales/en/proxy_servers.json';
import type proxy_test from '../../../locales/en/proxy_test.json';
import type proxy_users from '../../../locales/en/proxy_users.json';
import type referrals from '../../../locales/en/referrals.json';
import type residential_buy from '../../../locales/en/residential_buy.json';
import type search from '../../../locales/en/search.json';
import type security from '../../../locales/en/security.json';
import type static_residential_proxies from '../../../locales/en/static_residential_proxies.json';
import type status from '../../../locales/en/status.json';
import type support from '../../../locales/en/support.json';
import type system from '../../../locales/en/system.json';
import type usage from '../../../locales/en/usage.json';
import type validation from '../../../locales/en/validation.json';
import type webhooks from '../../../locales/en/webhooks.json';
import type welcome from '../../../locales/en/welcome.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      accounts: typeof accounts;
      audit: typeof audit;
      auth: typeof auth;
      billing: typeof billing;
      business: typeof business;
      common: typeof common;
      coupons: typeof coupons;
      errors: typeof errors;
      generator: typeof generator;
      inventory: typeof inventory;
      invoices: typeof invoices;
      mails: typeof mails;
      nav: typeof nav;
      notifications: typeof notifications;
      orders: typeof orders;
      payments: typeof payments;
      prices: typeof prices;
      proxy_servers: typeof proxy_servers;
      proxy_test: typeof proxy_test;
      proxy_users: typeof proxy_users;
      referrals: typeof referrals;
      residential_buy: typeof residential_buy;
      search: typeof search;
      security: typeof security;
      static_residential_proxies: typeof static_residential_proxies;
      status: typeof status;
      support: typeof support;
      system: typeof system;
      usage: typeof usage;
      validation: typeof validation;
      webhooks: typeof webhooks;
      welcome: typeof welcome;
    };
  }
}
