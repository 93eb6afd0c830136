// What the seller tells all customers, above every screen, until they close it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownAnnouncement, shownAnnouncementsQuery } from '@/api/announcements';
import { currentLanguage } from '@/i18n';
import { Announcement } from '@/ui/Announcement';
import s from './announcements.module.css';

const POLL_MS = 60_000;

const CLOSED_KEY = 'closed-announcements';
/** Many more than are shown at once: those that are over need not be remembered. */
const MOST_REMEMBERED = 50;

/** One that says something else is not closed. */
const markOf = ({ AnnouncementId, ChangedAt }: ShownAnnouncement) => `${AnnouncementId} ${ChangedAt}`;

function readClosed(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CLOSED_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

export function AnnouncementBanner() {
  const { t } = useTranslation();
  const [closed, setClosed] = useState(readClosed);
  const announcements = useQuery({ ...shownAnnouncementsQuery, refetchInterval: POLL_MS, staleTime: POLL_MS });
  const textOf = ({ TextEn, TextZh }: ShownAnnouncement) => (currentLanguage() === 'zh' ? TextZh : TextEn);
  const close = (announcement: ShownAnnouncement) => {
    // Another tab may have closed others.
    const next = [...new Set([...readClosed(), markOf(announcement)])].slice(-MOST_REMEMBERED);
    localStorage.setItem(CLOSED_KEY, JSON.stringify(next));
    setClosed(next);
  };
  const shown = announcements.data?.filter((one) => textOf(one) && !closed.includes(markOf(one))) ?? [];
  if (shown.length === 0) return null;
  return (
    <section className={s.announcements} aria-label={t('announcement.list')}>
      {shown.map((one) => (
        <Announcement
          key={one.AnnouncementId}
          tone={one.Tone}
          text={textOf(one)}
          link={one.Link}
          onClose={() => close(one)}
        />
      ))}
    </section>
  );
}
