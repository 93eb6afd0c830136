// The only place that loads the wasm package: once, when the first screen or call needs a rule.
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

/** Loads a module once. A failed load is tried again with the next call. */
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

/** The rules. */
export const loadCore = rules.load;

/** The rules, where the layout has loaded them already. */
export const core = rules.get;

/** The rules of one's own account: keys, webhooks, events, messages, passwords. */
export const loadAccount = accountRules.load;

/** The rules of one's own account, on screens whose route has loaded them already. */
export const account = accountRules.get;

/** The rules of endpoint strings. */
export const loadEndpoints = endpointRules.load;

/** The rules of endpoint strings, on screens whose route has loaded them already. */
export const endpoints = endpointRules.get;

/** The operator's rules. */
export const loadOperatorRules = operatorRules.load;

/** The operator's rules, on screens whose route has loaded them already. */
export const operatorCore = operatorRules.get;

/** The rules of residential traffic. */
export const loadResidential = residentialRules.load;

/** The rules of residential traffic, on screens whose route has loaded them already. */
export const residential = residentialRules.get;

/** What a rule found wrong with a form's fields; nothing where something else went wrong. */
export function fieldErrorsOf(error: unknown): Core.FieldErrors {
  return error instanceof core().CoreError ? error.fields : {};
}

/** The time zone of this browser. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The one that times are shown in: this browser's, or UTC where the browser knows of a zone that the rules do not. */
export const shownTimeZone = () => (core().isTimeZone(timeZone()) ? timeZone() : 'UTC');
