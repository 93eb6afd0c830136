// Writes a new version of the terms or the privacy policy in both languages, beginning with the current one, and publishes it.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { legalTextQuery, legalTextsQuery } from '@/api/legal';
import type { LegalKind } from '@/core/constants.gen';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import type { Bodies } from './drafts';
import { EditorForm } from './EditorForm';
import { LEGAL_AT } from './places';

const EMPTY: Bodies = { BodyEn: '', BodyZh: '' };

export function Editor({ kind }: { kind: LegalKind }) {
  const { t } = useTranslation('announcements');
  const texts = useQuery(legalTextsQuery);
  const current = texts.data?.find(({ Kind, IsCurrent }) => Kind === kind && IsCurrent);
  const text = useQuery({ ...legalTextQuery(current?.LegalTextId ?? 0), enabled: current !== undefined });
  const failed = [texts, text].find(({ isError }) => isError);
  const content = () => {
    if (failed) return <ErrorState error={failed.error} onRetry={() => failed.refetch()} />;
    const published = current ? text.data : texts.data && EMPTY;
    if (!published) return <LoadingState rows={12} />;
    const { BodyEn, BodyZh } = published;
    return <EditorForm kind={kind} published={{ BodyEn, BodyZh }} version={(current?.Version ?? 0) + 1} />;
  };
  return (
    <Page
      wide
      title={t(`write.title.${kind}`)}
      description={t('write.asks')}
      actions={<ButtonLink to={LEGAL_AT}>{t('write.back')}</ButtonLink>}
    >
      <Card>{content()}</Card>
    </Page>
  );
}
