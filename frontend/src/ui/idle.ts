// Waits until the browser is idle.
const AFTER_MS = 300;

/** Resolves after `timeout` milliseconds at the latest, if given. Safari has no requestIdleCallback. */
export const idle = (timeout?: number) =>
  new Promise<void>((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), timeout ? { timeout } : {});
    else setTimeout(resolve, timeout ?? AFTER_MS);
  });
