// zustand's `create`, with all stores back in their first state before each test, as zustand's guide to testing has it.
import { vi } from 'vitest';
import type { StateCreator, StoreApi, UseBoundStore } from 'zustand';

const real = await vi.importActual<typeof import('zustand')>('zustand');
const stores = new Set<UseBoundStore<StoreApi<unknown>>>();

export const { createStore, useStore } = real;

function created<T>(initializer: StateCreator<T>) {
  const store = real.create(initializer);
  stores.add(store as UseBoundStore<StoreApi<unknown>>);
  return store;
}

export const create = (<T>(initializer?: StateCreator<T>) =>
  initializer ? created(initializer) : created) as typeof real.create;

/** Sets every store to the state in which it was created. */
export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true);
}
