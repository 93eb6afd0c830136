// The bell in the header: the unread count, and the notification panel.
import { Bell } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unreadQuery } from '@/api/notifications';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Popover } from '@/ui/Overlay';
import s from './notifications.module.css';

const REFRESH_MS = 60_000;

// Notifications are fetched when the panel is opened.
const Panel = lazy(async () => ({ default: (await import('./NotificationPanel')).NotificationPanel }));
const Choices = lazy(async () => ({ default: (await import('./NotificationChoices')).NotificationChoices }));

export function NotificationBell() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const unread = useQuery({
    ...unreadQuery,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
  const { Unread: count = 0, HasMore: hasMore = false } = unread.data ?? {};
  const name = () => {
    if (hasMore) return t('notifications.openUnreadMore', { Max: count });
    return count > 0 ? t('notifications.openUnread', { count }) : t('notifications.open');
  };
  return (
    <>
      <Popover
        label={t('notifications.open')}
        state={{ open: isOpen, onOpenChange: setOpen }}
        trigger={
          <Button variant="ghost" className={s.bell} aria-label={name()} title={name()} icon={<Bell size={18} />}>
            {count > 0 && <span className={s.count}>{hasMore ? `${count}+` : count}</span>}
          </Button>
        }
      >
        <div className={s.panel}>
          <Suspense fallback={<LoadingState rows={5} />}>
            <Panel
              unread={count}
              onGone={() => setOpen(false)}
              onChoose={() => {
                setOpen(false);
                setChoosing(true);
              }}
            />
          </Suspense>
        </div>
      </Popover>
      <Suspense fallback={null}>{isChoosing && <Choices onClose={() => setChoosing(false)} />}</Suspense>
    </>
  );
}
