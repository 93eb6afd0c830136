// By what the server knows this machine once somebody has signed in here: it outlasts signing out, because attempts to sign in from here
// are then counted apart from those of strangers.
import { DEVICE_KEY } from '@/core/constants.gen';

/** Empty before the first time, which the server takes as unknown. */
export function deviceId(): string {
  return localStorage.getItem(DEVICE_KEY) ?? '';
}

export function keepDeviceId(id: string): void {
  localStorage.setItem(DEVICE_KEY, id);
}
