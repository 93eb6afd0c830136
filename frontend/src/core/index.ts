// Loads the wasm packages, each once. No other module imports them.
import type * as Core from '@postern/core';

export type {
  ApiKeyForm,
  Catalogue,
  ConvertInto,
  Coupon,
  Currency,
  Endpoint,
  EndpointFormat,
  EventKind,
  EventKindRow,
  FieldErrors,
  ListRequest,
  PasswordChangeForm,
  ProxyUserFile,
  Quote,
  QuoteRequest,
  Reaction,
  Scope,
  SidebarEntry,
  Terms,
  Tier,
  TrafficCatalogue,
  TrafficOffer,
  TrafficPrice,
  TrafficQuote,
  TrafficRequest,
  WebhookForm,
} from '@postern/core';

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
const rulesOfScreens = once('the rules of screens', () => import('@postern/core/screens'));

/** Loads the core rules. */
export const loadCore = rules.load;

/** The core rules, once the layout has loaded them. */
export const core = rules.get;

/** Loads the rules that only some screens need. */
export const loadScreenRules = rulesOfScreens.load;

/** The rules that only some screens need, on those whose route has loaded them. */
export const screenRules = rulesOfScreens.get;

/** Field errors of a CoreError; undefined for any other error. */
export function fieldErrorsOf(error: unknown): Core.FieldErrors {
  return error instanceof core().CoreError ? error.fields : {};
}

/** This browser's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The time zone in which times are shown: this browser's, or UTC if core does not know it. */
export const shownTimeZone = () => (core().isTimeZone(timeZone()) ? timeZone() : 'UTC');
