// Invitation code and marketing parameters from a visitor's address, kept for the browser session.
import { INVITE_CODE_KEY, INVITE_CODE_PARAMETER, MARKETING_KEYS } from '@/core/constants.gen';

/** The invitation code is cleared at every load and kept only if the address has one; the other parameters stay. */
export function rememberVisit(search: string, storage: Storage): void {
  const parameters = new URLSearchParams(search);
  storage.removeItem(INVITE_CODE_KEY);
  const code = parameters.get(INVITE_CODE_PARAMETER);
  if (code) storage.setItem(INVITE_CODE_KEY, code);
  for (const key of MARKETING_KEYS) {
    const value = parameters.get(key);
    if (value) storage.setItem(key, value);
  }
}

/** The stored marketing parameters. */
export function marketing(storage: Storage): Record<string, string> {
  const kept = MARKETING_KEYS.map((key) => [key, storage.getItem(key)] as const);
  return Object.fromEntries(
    kept.filter((pair): pair is readonly [(typeof MARKETING_KEYS)[number], string] => !!pair[1]),
  );
}
