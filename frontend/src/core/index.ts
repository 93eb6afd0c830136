// The only place that loads the wasm package: once, when the first screen or call needs a rule.
import type * as Core from '@postern/core';

export type { Catalogue, Endpoint, FieldErrors, Quote, QuoteRequest, SidebarEntry, Tier } from '@postern/core';

let loading: Promise<typeof Core> | undefined;
let loaded: typeof Core | undefined;

/** The rules. A failed load is tried again with the next call. */
export function loadCore(): Promise<typeof Core> {
  loading ??= import('@postern/core').then(
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
}

/** The rules, where the layout has loaded them already. */
export function core(): typeof Core {
  if (!loaded) throw new Error('the rules are not loaded yet');
  return loaded;
}

/** The time zone of this browser. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
