// Waiting for a moment in which nothing else is to be done.
const AFTER_MS = 300;

/** Safari has no idle callbacks. */
export const idle = () =>
  new Promise<void>((resolve) => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve());
    else setTimeout(resolve, AFTER_MS);
  });
