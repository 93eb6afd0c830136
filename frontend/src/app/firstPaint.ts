// Imported before the app's other code: the sign-in screen that came with the page is painted before that code runs.

/** A page in the background is not painted. */
const MOST_MS = 100;

const firstPaint = () =>
  new Promise<void>((done) => {
    setTimeout(done, MOST_MS);
    // After the frame, not within it.
    requestAnimationFrame(() => setTimeout(done));
  });

if (document.documentElement.dataset.visitor && document.querySelector('[data-first-screen]')) await firstPaint();

export {};
