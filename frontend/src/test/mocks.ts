// What unit tests look at instead of a toast or a download. One module for all test files, which share the screens that call it.
import { vi } from 'vitest';

export const showToast = vi.fn();
export const toastError = vi.fn();
export const briefToast = vi.fn();
export const saveFile = vi.fn();
