// The device id, by which the server recognises this browser after its first sign-in. It survives signing out: failed attempts from a known
// device are counted apart from those of strangers.
import { DEVICE_KEY } from '@/core/constants.gen';

/** Empty before the first sign-in; to the server that is an unknown device. */
export function deviceId(): string {
  return localStorage.getItem(DEVICE_KEY) ?? '';
}

export function keepDeviceId(id: string): void {
  localStorage.setItem(DEVICE_KEY, id);
}
