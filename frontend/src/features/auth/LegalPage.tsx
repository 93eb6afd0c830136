// The screens /terms and /privacy: the seller's current text, for visitors and signed-in users.
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '@/api/client';
import { currentLegalText, type LegalText } from '@/api/legal';
import { LegalKind } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { LoadingState } from '@/ui/Loading';
import { PlainDocument } from '@/ui/PlainDocument';
import { EmptyState, ErrorState } from '@/ui/State';
import { dayOf } from '@/ui/texts';
import { DocumentFrame } from './DocumentFrame';
import s from './legal.module.css';

/** The code of an answer without a text. */
const NOT_FOUND = 3004;

export const TermsPage = () => <LegalPage key={LegalKind.Terms} kind={LegalKind.Terms} />;
export const PrivacyPage = () => <LegalPage key={LegalKind.Privacy} kind={LegalKind.Privacy} />;

type Loaded = { text: LegalText } | { error: unknown };

function LegalPage({ kind }: { kind: LegalKind }) {
  const { t } = useTranslation(['legal', 'common']);
  const [loaded, setLoaded] = useState<Loaded>();
  const load = useCallback(() => {
    setLoaded(undefined);
    let isGone = false;
    currentLegalText(kind).then(
      (text) => !isGone && setLoaded({ text }),
      (error: unknown) => !isGone && setLoaded({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [kind]);
  useEffect(load, [load]);
  const title = t(`common:legal.${kind}`);
  return (
    <DocumentFrame kind={kind} title={title}>
      <Content kind={kind} title={title} loaded={loaded} onRetry={load} />
    </DocumentFrame>
  );
}

interface ContentProps {
  kind: LegalKind;
  title: string;
  loaded: Loaded | undefined;
  onRetry: () => void;
}

function Content({ kind, title, loaded, onRetry }: ContentProps) {
  const { t, i18n } = useTranslation('legal');
  if (loaded && 'error' in loaded) {
    const isMissing = loaded.error instanceof CallError && loaded.error.code === NOT_FOUND;
    return isMissing ? <Missing kind={kind} /> : <ErrorState error={loaded.error} onRetry={onRetry} />;
  }
  return (
    <>
      <div className={s.head}>
        <h1>{title}</h1>
        <p>{loaded && t('version', { Version: loaded.text.Version, Day: dayOf(loaded.text.PublishedAt) })}</p>
      </div>
      {loaded ? (
        <PlainDocument text={i18n.language === 'zh' ? loaded.text.BodyZh : loaded.text.BodyEn} />
      ) : (
        <LoadingState rows={12} />
      )}
    </>
  );
}

/** The shop has no text of its own; its terms may be elsewhere. */
function Missing({ kind }: { kind: LegalKind }) {
  const { t } = useTranslation(['legal', 'common']);
  const terms = useConfigStore((state) => state.shop?.TermsUrl);
  const isElsewhere = kind === LegalKind.Terms && terms;
  return (
    <>
      <h1 className="visually-hidden">{t(`common:legal.${kind}`)}</h1>
      {isElsewhere ? (
        <EmptyState title={t(`common:legal.${kind}`)} action={<a href={terms}>{t('elsewhere')}</a>} />
      ) : (
        <EmptyState title={t(`missing.${kind}`)}>{t('missingHint')}</EmptyState>
      )}
    </>
  );
}
