// The terms and the privacy policy: the current version of each, and all earlier ones.
import { ArrowSquareOut, PencilSimple } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LegalTextView, legalTextsQuery } from '@/api/legal';
import { LegalKind } from '@/core/constants.gen';
import { LEGAL_PATHS } from '@/stores/legal';
import { useMay } from '@/stores/may';
import { Button, ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Stat } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, dayOf, useNumber } from '@/ui/texts';
import s from './announcements.module.css';
import { useDrafts } from './drafts';
import { writeAt } from './places';
import { VersionDialog } from './VersionDialog';

export function LegalView() {
  const { t } = useTranslation('announcements');
  const texts = useQuery(legalTextsQuery);
  const [shown, setShown] = useState<LegalTextView>();
  return (
    <div className={s.kinds}>
      {Object.values(LegalKind).map((kind) =>
        texts.data ? (
          <Kind key={kind} kind={kind} versions={texts.data.filter((one) => one.Kind === kind)} onShow={setShown} />
        ) : (
          <Card key={kind} title={t(`kind.${kind}`)}>
            {texts.isError ? (
              <ErrorState error={texts.error} onRetry={() => texts.refetch()} />
            ) : (
              <LoadingState rows={6} />
            )}
          </Card>
        ),
      )}
      {shown && <VersionDialog version={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

interface KindProps {
  kind: LegalKind;
  /** The newest first. */
  versions: LegalTextView[];
  onShow: (version: LegalTextView) => void;
}

function Kind({ kind, versions, onShow }: KindProps) {
  const { t } = useTranslation('announcements');
  const number = useNumber();
  const current = versions.find(({ IsCurrent }) => IsCurrent);
  const hasDraft = useDrafts((state) => state.drafts[kind] !== undefined);
  const mayWrite = useMay()('Operator/PublishLegalText');
  const Kind = t(`kind.${kind}`);
  const action = hasDraft ? 'resume' : current ? 'write' : 'first';
  const write = mayWrite && (
    <ButtonLink
      to={writeAt(kind)}
      size="small"
      icon={<PencilSimple size={16} aria-hidden="true" />}
      label={t(`legal.${action}Of`, { Kind })}
    >
      {t(`legal.${action}`)}
    </ButtonLink>
  );
  const draft = mayWrite && hasDraft && <Notice tone="neutral">{t('legal.draft')}</Notice>;
  if (!current) {
    return (
      <Card title={Kind}>
        <div className={s.part}>
          {draft}
          <EmptyState title={t(`legal.none.${kind}`)} action={write}>
            {t(`legal.noneHint.${kind}`)}
          </EmptyState>
        </div>
      </Card>
    );
  }
  return (
    <Card
      title={Kind}
      aside={
        <span className={s.actions}>
          <ButtonLink
            to={LEGAL_PATHS[kind]}
            newTab
            size="small"
            variant="ghost"
            icon={<ArrowSquareOut size={16} aria-hidden="true" />}
            label={t('legal.openOf', { Kind })}
          >
            {t('legal.open')}
          </ButtonLink>
          {write}
        </span>
      }
    >
      <div className={s.part}>
        {draft}
        <div className={s.facts}>
          <Stat label={t('legal.version')}>{number(current.Version)}</Stat>
          <Stat label={t('legal.published')}>{dayOf(current.PublishedAt)}</Stat>
          <Stat label={t('legal.acceptances')}>{number(current.Acceptances)}</Stat>
        </div>
        <h3 className={s.subtitle}>{t('legal.history')}</h3>
        <ul className={s.rows} aria-label={t('legal.historyOf', { Kind })}>
          {versions.map((version) => (
            <Version key={version.LegalTextId} version={version} onShow={() => onShow(version)} />
          ))}
        </ul>
      </div>
    </Card>
  );
}

function Version({ version, onShow }: { version: LegalTextView; onShow: () => void }) {
  const { t } = useTranslation('announcements');
  const mayRead = useMay()('Operator/GetLegalText');
  const { Kind, Version, PublishedAt, Operator, Acceptances, IsCurrent } = version;
  const names = { Version, Kind: t(`kind.${Kind}`) };
  return (
    <li>
      <div className={s.text}>
        <span className={s.name}>
          {t('legal.versionOf', { Version })}
          {IsCurrent && <Badge tone="good">{t('legal.current')}</Badge>}
        </span>
        <small>
          <span>
            {fillText((marks) => t('legal.publishedBy', { Operator, ...marks }), {
              Time: <DateText value={PublishedAt} />,
            })}
          </span>
          <span>{t('legal.acceptedBy', { count: Acceptances })}</span>
        </small>
      </div>
      {mayRead && (
        <Button size="small" aria-label={t('legal.showOf', names)} onClick={onShow}>
          {t('legal.show')}
        </Button>
      )}
    </li>
  );
}
