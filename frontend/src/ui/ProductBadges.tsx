// The state of a static product in badges, the same on every screen.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { ProductState } from '@/core/constants.gen';
import { Badge } from './State';

type Summary = Pick<Schemas['ProductSummary'], 'ActiveCount' | 'GraceCount' | 'EndingSoonCount' | 'NextExpiresAt'>;

/** Whole seconds until a time from a response; undefined without one. */
function secondsUntil(value: string | null | undefined): number | undefined {
  return value ? Math.ceil((new Date(value.replace(' ', 'T')).getTime() - Date.now()) / 1_000) : undefined;
}

/** What core says of the product now: the screen may be older than its next expiry. */
export function ProductBadges({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const { ActiveCount, GraceCount, EndingSoonCount, NextExpiresAt } = summary;
  const state = core().productState(ActiveCount, GraceCount, EndingSoonCount, secondsUntil(NextExpiresAt));
  if (state === ProductState.None) return <Badge>{t('product.none')}</Badge>;
  if (state === ProductState.Active) return <Badge tone="good">{t('product.active')}</Badge>;
  const isSoon = EndingSoonCount > 0 || state === ProductState.EndingSoon;
  return (
    <>
      {state === ProductState.Expired && (
        <Badge tone="bad">{GraceCount > 0 ? t('product.grace', { count: GraceCount }) : t('product.expired')}</Badge>
      )}
      {isSoon && <Badge tone="warn">{t('product.soon', { count: Math.max(1, EndingSoonCount) })}</Badge>}
    </>
  );
}

/** Whether a time from a response is still to come. */
export const isToCome = (value: string | null | undefined): value is string => (secondsUntil(value) ?? 0) > 0;
