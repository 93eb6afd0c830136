// Links to the seller's terms and privacy policy, each if the shop has one.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LegalKind } from '@/core/constants.gen';
import { LEGAL_PATHS, useLegalKinds } from '@/stores/legal';

/** `except`: the text that is open. */
export function LegalLinks({ except }: { except?: LegalKind }) {
  const { t } = useTranslation('common');
  return useLegalKinds()
    .filter((kind) => kind !== except)
    .map((kind) => (
      <Link key={kind} to={LEGAL_PATHS[kind]}>
        {t(`legal.${kind}`)}
      </Link>
    ));
}
