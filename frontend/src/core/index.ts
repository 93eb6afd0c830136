// Loads the wasm packages, each once. No other module imports them.
import type * as Core from '@postern/core';

export type {
  Catalogue,
  ConvertInto,
  Coupon,
  Currency,
  Endpoint,
  EndpointFormat,
  EventKind,
  FieldErrors,
  ListRequest,
  ProxyUserFile,
  Quote,
  QuoteRequest,
  Reaction,
  SidebarEntry,
  Terms,
  Tier,
} from '@postern/core';
export type { ApiKeyForm, EventKindRow, PasswordChangeForm, Scope, WebhookForm } from '@postern/core/account';
export type {
  TrafficCatalogue,
  TrafficOffer,
  TrafficPrice,
  TrafficQuote,
  TrafficRequest,
} from '@postern/core/residential';

/** Loads a module once; a failed load is retried by the next call. */
function once<Module>(what: string, load: () => Promise<Module>) {
  let loading: Promise<Module> | undefined;
  let loaded: Module | undefined;
  return {
    load: () => {
      loading ??= load().then(
        (module) => {
          loaded = module;
          return module;
        },
        (error) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
    get: () => {
      if (!loaded) throw new Error(`${what} are not loaded yet`);
      return loaded;
    },
  };
}

const rules = once('the rules', () => import('@postern/core'));
const accountRules = once('the rules of accounts', () => import('@postern/core/account'));
const endpointRules = once('the rules of endpoints', () => import('@postern/core/endpoints'));
const operatorRules = once("the operator's rules", () => import('@postern/core/operator'));
const residentialRules = once('the rules of residential traffic', () => import('@postern/core/residential'));

/** Loads the core rules. */
export const loadCore = rules.load;

/** The core rules, once the layout has loaded them. */
export const core = rules.get;

/** Loads the account rules: details, keys, webhooks, events, messages, passwords. */
export const loadAccount = accountRules.load;

/** The account rules, on screens whose route has loaded them. */
export const account = accountRules.get;

/** Loads the rules of endpoints and whitelists. */
export const loadEndpoints = endpointRules.load;

/** The rules of endpoints and whitelists, on screens whose route has loaded them. */
export const endpoints = endpointRules.get;

/** Loads the operator rules. */
export const loadOperatorRules = operatorRules.load;

/** The operator rules, on screens whose route has loaded them. */
export const operatorCore = operatorRules.get;

/** Loads the rules of residential traffic. */
export const loadResidential = residentialRules.load;

/** The rules of residential traffic, on screens whose route has loaded them. */
export const residential = residentialRules.get;

/** Field errors of a CoreError; undefined for any other error. */
export function fieldErrorsOf(error: unknown): Core.FieldErrors {
  return error instanceof core().CoreError ? error.fields : {};
}

/** This browser's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The time zone in which times are shown: this browser's, or UTC if core does not know it. */
export const shownTimeZone = () => (core().isTimeZone(timeZone()) ? timeZone() : 'UTC');
