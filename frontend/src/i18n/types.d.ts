// The keys of all texts: English is the source.
import 'i18next';
import type accounts from '../../../locales/en/accounts.json';
import type auth from '../../../locales/en/auth.json';
import type billing from '../../../locales/en/billing.json';
import type common from '../../../locales/en/common.json';
import type errors from '../../../locales/en/errors.json';
import type generator from '../../../locales/en/generator.json';
import type invoices from '../../../locales/en/invoices.json';
import type nav from '../../../locales/en/nav.json';
import type orders from '../../../locales/en/orders.json';
import type proxy_users from '../../../locales/en/proxy_users.json';
import type residential_buy from '../../../locales/en/residential_buy.json';
import type static_residential_proxies from '../../../locales/en/static_residential_proxies.json';
import type usage from '../../../locales/en/usage.json';
import type validation from '../../../locales/en/validation.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      accounts: typeof accounts;
      auth: typeof auth;
      billing: typeof billing;
      common: typeof common;
      errors: typeof errors;
      generator: typeof generator;
      invoices: typeof invoices;
      nav: typeof nav;
      orders: typeof orders;
      proxy_users: typeof proxy_users;
      residential_buy: typeof residential_buy;
      static_residential_proxies: typeof static_residential_proxies;
      usage: typeof usage;
      validation: typeof validation;
    };
  }
}
