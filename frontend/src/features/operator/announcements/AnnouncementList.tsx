// All announcements, those that are shown first: their text, when they are shown, and who saved them.
import { Megaphone, PencilSimple, Trash, Warning } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Announcement, announcementsQuery } from '@/api/announcements';
import { AnnouncementState, AnnouncementTone } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useMay } from '@/stores/may';
import { IconButton } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import type { Tone } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, useNumber } from '@/ui/texts';
import { AnnouncementDialog } from './AnnouncementDialog';
import s from './announcements.module.css';
import { DeleteDialog } from './DeleteDialog';

/** States change as time passes. */
const POLL_MS = 60_000;

const TONES: Record<AnnouncementState, Tone> = { coming: 'accent', shown: 'good', over: 'neutral' };
/** What customers see comes first. */
const ORDER = [AnnouncementState.Shown, AnnouncementState.Coming, AnnouncementState.Over];
const ALL = 'all';

export function AnnouncementList({ add }: { add: ReactNode }) {
  const { t } = useTranslation('announcements');
  const number = useNumber();
  const announcements = useQuery({ ...announcementsQuery, refetchInterval: POLL_MS });
  const [{ State }, change] = useFilters(['State']);
  const [dialog, setDialog] = useState<{ action: 'edit' | 'delete'; announcement: Announcement }>();
  const close = () => setDialog(undefined);
  const all = announcements.data;
  if (!all) {
    return (
      <Card title={t('list.title')}>
        {announcements.isError ? (
          <ErrorState error={announcements.error} onRetry={() => announcements.refetch()} />
        ) : (
          <LoadingState rows={6} />
        )}
      </Card>
    );
  }
  if (all.length === 0) {
    return (
      <Card>
        <EmptyState title={t('list.empty')} action={add}>
          {t('list.emptyHint')}
        </EmptyState>
      </Card>
    );
  }
  const of = (state: AnnouncementState) => all.filter((one) => one.State === state);
  const chosen = ORDER.find((state) => state === State);
  const shown = chosen ? of(chosen) : ORDER.flatMap(of);
  const withCount = (text: string, count: number) => (
    <>
      {text} <span className={s.count}>{number(count)}</span>
    </>
  );
  return (
    <Card
      title={t('list.title')}
      aside={
        <SegmentedControl<string>
          label={t('state.label')}
          value={chosen ?? ALL}
          segments={[
            { value: ALL, label: withCount(t('state.all'), all.length) },
            ...ORDER.map((state) => ({ value: state, label: withCount(t(`state.${state}`), of(state).length) })),
          ]}
          onChange={(next) => change({ State: next === ALL ? '' : next })}
        />
      }
    >
      {shown.length === 0 ? (
        <p className={s.soft}>{t('list.none')}</p>
      ) : (
        <ul className={s.rows} aria-label={t('list.title')}>
          {shown.map((one) => (
            <Row
              key={one.AnnouncementId}
              announcement={one}
              onEdit={() => setDialog({ action: 'edit', announcement: one })}
              onDelete={() => setDialog({ action: 'delete', announcement: one })}
            />
          ))}
        </ul>
      )}
      {dialog?.action === 'edit' && <AnnouncementDialog announcement={dialog.announcement} onClose={close} />}
      {dialog?.action === 'delete' && <DeleteDialog announcement={dialog.announcement} onClose={close} />}
    </Card>
  );
}

/** In the reader's language, if it is written in it. */
function textOf({ TextEn, TextZh }: Announcement) {
  const isChinese = TextEn === '' || (currentLanguage() === 'zh' && TextZh !== '');
  return isChinese ? { text: TextZh, lang: 'zh-CN' } : { text: TextEn, lang: 'en' };
}

interface RowProps {
  announcement: Announcement;
  onEdit: () => void;
  onDelete: () => void;
}

function Row({ announcement, onEdit, onDelete }: RowProps) {
  const { t } = useTranslation('announcements');
  const may = useMay();
  const { Tone: tone, State, TextEn, TextZh, Link, ValidFrom, ValidUntil, Operator } = announcement;
  const { text, lang } = textOf(announcement);
  const isWarning = tone === AnnouncementTone.Warning;
  const Icon = isWarning ? Warning : Megaphone;
  const dates = { From: <DateText value={ValidFrom} />, Until: <DateText value={ValidUntil} /> };
  return (
    <li>
      <Icon size={18} className={s.icon} data-tone={tone} role="img" aria-label={t(`tone.${tone}`)} />
      <div className={s.text}>
        <span lang={lang}>{text}</span>
        <small>
          <span>{fillText((marks) => t(ValidUntil ? 'list.fromUntil' : 'list.fromOn', marks), dates)}</span>
          <span>{t('list.by', { Operator })}</span>
          {TextZh === '' && <span>{t('list.onlyEn')}</span>}
          {TextEn === '' && <span>{t('list.onlyZh')}</span>}
          {Link && <span>{t('list.link', { Link })}</span>}
        </small>
      </div>
      <div className={s.end}>
        <Badge tone={TONES[State]}>{t(`state.${State}`)}</Badge>
        <span className={s.buttons}>
          {may('Operator/SaveAnnouncement') && (
            <IconButton size="small" label={t('list.edit', { Text: text })} onClick={onEdit}>
              <PencilSimple size={16} />
            </IconButton>
          )}
          {may('Operator/DeleteAnnouncement') && (
            <IconButton size="small" label={t('list.delete', { Text: text })} onClick={onDelete}>
              <Trash size={16} />
            </IconButton>
          )}
        </span>
      </div>
    </li>
  );
}
