// Waiting for a moment in which nothing else is to be done.
const AFTER_MS = 300;

/** Comes at the latest after `timeout` milliseconds, where one is given. Safari has no idle callbacks. */
export const idle = (timeout?: number) =>
  new Promise<void>((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), timeout ? { timeout } : {});
    else setTimeout(resolve, timeout ?? AFTER_MS);
  });
