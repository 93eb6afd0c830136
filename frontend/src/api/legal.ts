// Calls about the seller's terms and privacy policy: read by everyone, accepted by customers, published by operators.
import type { LegalKind } from '@/core/constants.gen';
import { change, query } from './calls';
import { post, type Schemas } from './client';
import { AUDIT_LOG } from './operator';

export type LegalText = Schemas['LegalText'];
export type LegalTextView = Schemas['LegalTextView'];
export type LegalTextRef = Schemas['LegalTextRef'];

/** The current text of a kind, in both languages. The screen shows a failure in its place. */
export const currentLegalText = (Kind: LegalKind): Promise<LegalText> =>
  post('SystemSettings/GetLegalText', { Kind }, { silent: true });

export const acceptTexts = change('User/AcceptTexts');

const LEGAL_TEXTS = ['legal-texts'];
export const legalTextsQuery = query(LEGAL_TEXTS, 'Operator/GetLegalTextList');
/** A version as it was entered, which never changes. */
export const legalTextQuery = (LegalTextId: number) => ({
  ...query(['legal-text', LegalTextId], 'Operator/GetLegalText', { LegalTextId }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const publishLegalText = change('Operator/PublishLegalText', {
  answers: LEGAL_TEXTS,
  outdates: (_, answer) => (answer ? [[AUDIT_LOG]] : [LEGAL_TEXTS]),
});
