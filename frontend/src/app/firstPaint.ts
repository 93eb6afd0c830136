// Imported before the app's other code: the prerendered screen is painted before that code runs.

import { prerenderedScreen } from './prerenderedScreen';

/** A page in the background is not painted. */
const MOST_MS = 100;

const firstPaint = () =>
  new Promise<void>((done) => {
    setTimeout(done, MOST_MS);
    // After the frame, not within it.
    requestAnimationFrame(() => setTimeout(done));
  });

if (prerenderedScreen()) await firstPaint();
