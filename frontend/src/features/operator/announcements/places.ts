// The views of the screen in its address, and the text that is being written.
import type { LegalKind } from '@/core/constants.gen';

export const VIEW_KEY = 'view';
export const WRITE_KEY = 'write';
export const LEGAL = 'legal';

/** The view of terms and privacy policy. */
export const LEGAL_AT = `?${VIEW_KEY}=${LEGAL}`;
export const writeAt = (kind: LegalKind) => `${LEGAL_AT}&${WRITE_KEY}=${kind}`;
