// Notifications, newest first, grouped by day, each linked to its subject.
import { GearSix } from '@phosphor-icons/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { markRead, notificationsQuery } from '@/api/notifications';
import { useCall } from '@/api/useCall';
import { shownTimeZone } from '@/core';
import { useSupportStore } from '@/stores/support';
import { isViewing } from '@/stores/user';
import { Button, IconButton } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { EmptyState, ErrorState } from '@/ui/State';
import s from './notifications.module.css';
import { byDay, type Notification, pathOf } from './rows';
import { useNotificationText } from './useNotificationText';

const PAGE_SIZE = 20;
const DAY_MS = 86_400_000;

interface PanelProps {
  unread: number;
  /** Called when the user follows a notification. */
  onGone: () => void;
  onChoose: () => void;
}

export function NotificationPanel({ unread, onGone, onChoose }: PanelProps) {
  const { t } = useTranslation('notifications');
  const list = useInfiniteQuery(notificationsQuery(unread, PAGE_SIZE));
  const marking = useCall(markRead);
  const rows = list.data?.pages.flatMap((page) => page.Rows) ?? [];
  const latest = rows[0];
  const open = (row: Notification) => {
    // The chat opens over the current screen.
    const isInChat = row.Kind === 'support.answered';
    if (isInChat) useSupportStore.getState().openChat();
    if (isInChat || pathOf(row)) onGone();
  };
  return (
    <>
      <div className={s.head}>
        <h2>{t('title')}</h2>
        <span className={s.tools}>
          {latest && unread > 0 && (
            <Button
              size="small"
              variant="ghost"
              loading={marking.isBusy}
              onClick={() => marking.run({ UpTo: latest.NotificationId })}
            >
              {t('markAllRead')}
            </Button>
          )}
          <IconButton size="small" label={t('settings')} onClick={onChoose}>
            <GearSix size={16} />
          </IconButton>
        </span>
      </div>
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <LoadingState rows={5} />}
      {list.data && rows.length === 0 && <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>}
      {rows.length > 0 && <Days rows={rows} onOpen={open} />}
      {list.hasNextPage && (
        <Button
          wide
          variant="ghost"
          size="small"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage({ cancelRefetch: false })}
        >
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Days({ rows, onOpen }: { rows: Notification[]; onOpen: (row: Notification) => void }) {
  const dayName = useDayName();
  return byDay(rows).map(([day, ofDay]) => (
    <section key={day} className={s.day}>
      <h3>{dayName(day)}</h3>
      <ul>
        {ofDay.map((row) => (
          <li key={row.NotificationId} data-unread={!row.IsRead || undefined}>
            <Row row={row} onOpen={() => onOpen(row)} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Row({ row, onOpen }: { row: Notification; onOpen: () => void }) {
  const { t } = useTranslation('notifications');
  const text = useNotificationText();
  // Each row has its own, so that one that is being marked does not hold up the next.
  const marking = useCall(markRead);
  const follow = () => {
    if (!row.IsRead && !isViewing()) marking.run({ NotificationIds: [row.NotificationId] });
    onOpen();
  };
  const path = pathOf(row);
  const content = (
    <>
      <span className={s.text}>
        {!row.IsRead && <span className="visually-hidden">{t('unread')} </span>}
        {text(row)}
      </span>
      <time dateTime={row.CreatedAt.replace(' ', 'T')}>{row.CreatedAt.slice(11, 16)}</time>
    </>
  );
  return path ? (
    <Link to={path} className={s.row} onClick={follow}>
      {content}
    </Link>
  ) : (
    <button type="button" className={s.row} onClick={follow}>
      {content}
    </button>
  );
}

/** "Today", "Yesterday", or the date. Days are in the user's time zone, like the times in responses. */
function useDayName() {
  const { t, i18n } = useTranslation('notifications');
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  // The date format of responses.
  const plain = new Intl.DateTimeFormat('sv-SE', { timeZone: shownTimeZone() });
  const dayBefore = (days: number) => plain.format(Date.now() - days * DAY_MS);
  return (day: string) => {
    if (day === dayBefore(0)) return t('today');
    if (day === dayBefore(1)) return t('yesterday');
    return format.format(new Date(`${day}T12:00:00Z`));
  };
}
