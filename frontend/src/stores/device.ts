// The device id, by which the server recognizes this browser. It survives signing out: failed attempts from a known device
// are counted separately from those of unknown devices.
import { DEVICE_KEY } from '@/core/constants.gen';

/** Empty before the first sign-in; the server treats that as an unknown device. */
export function deviceId(): string {
  return localStorage.getItem(DEVICE_KEY) ?? '';
}

export function keepDeviceId(id: string): void {
  localStorage.setItem(DEVICE_KEY, id);
}
