// Messages by day and sender, with pending ones at the end. Stays scrolled to the end if the user is there.
import { ArrowClockwise, ArrowDown, Check, Checks, Trash } from '@phosphor-icons/react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Button, IconButton } from '@/ui/Button';
import { AttachmentTile } from './AttachmentTile';
import { byDay, dayText, type Group } from './days';
import s from './support.module.css';
import { useOnline } from './useOnline';
import type { Outbox, Outgoing } from './useOutbox';

type Side = Schemas['Side'];

interface MessageListProps {
  conversation: Schemas['Conversation'];
  /** Which side is viewing. */
  side: Side;
  outbox: Outbox;
  onEarlier: () => Promise<void>;
  /** Called with the newest message while it is visible. */
  onSeen: (messageId: number) => void;
  /** Shown if there are no messages. */
  empty: ReactNode;
}

/** Distance from the end, in pixels, that counts as being at the end. */
const NEAR = 80;

export function MessageList({ conversation, side, outbox, onEarlier, onSeen, empty }: MessageListProps) {
  const { t, i18n } = useTranslation('support');
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const heightBefore = useRef<number>(undefined);
  const [isLoading, setLoading] = useState(false);
  const [isBelow, setBelow] = useState(false);
  const { Messages, HasEarlier, ReadByOther } = conversation;
  const newest = Messages.at(-1)?.MessageId;
  // A delivered message may already be in the conversation.
  const outgoing = outbox.outgoing.filter(({ sentId }) => !Messages.some(({ MessageId }) => MessageId === sentId));
  const count = Messages.length + outgoing.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content determines where the end is
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    if (heightBefore.current !== undefined) {
      // Prepending earlier messages keeps the scroll position.
      box.scrollTop += box.scrollHeight - heightBefore.current;
      heightBefore.current = undefined;
    } else if (isAtEnd.current || outgoing.some((one) => one.isSending)) {
      box.scrollTop = box.scrollHeight;
    } else {
      setBelow(true);
    }
  }, [count]);

  // Pictures load later, and the window can be resized.
  useEffect(() => {
    const box = list.current;
    if (!box || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    if (newest === undefined) return;
    const look = () => {
      if (!document.hidden && isAtEnd.current) seen.current(newest);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [newest]);

  const onScroll = () => {
    const box = list.current;
    if (!box) return;
    isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    if (isAtEnd.current && newest !== undefined) {
      setBelow(false);
      if (!document.hidden) seen.current(newest);
    }
  };
  const earlier = async () => {
    setLoading(true);
    heightBefore.current = list.current?.scrollHeight;
    await onEarlier()
      .catch(() => {
        heightBefore.current = undefined;
      })
      .finally(() => setLoading(false));
  };
  const lastOwn = Messages.findLast((message) => message.Side === side && message.Kind === 'text');
  return (
    <div className={s.listFrame}>
      <div
        ref={list}
        className={s.list}
        role="log"
        aria-label={t('messages')}
        aria-busy={isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        {HasEarlier && (
          <Button size="small" variant="ghost" loading={isLoading} onClick={earlier}>
            {t('earlier')}
          </Button>
        )}
        {count === 0 && empty}
        {byDay(Messages).map((day) => (
          <section key={day.date} className={s.day} aria-label={dayText(day.date, i18n.language)}>
            <h3>{dayText(day.date, i18n.language)}</h3>
            {day.groups.map((group) => (
              <MessageGroup key={group.messages[0]?.MessageId} group={group} side={side} />
            ))}
          </section>
        ))}
        {lastOwn && outgoing.length === 0 && Messages.at(-1) === lastOwn && (
          <p className={s.receipt}>
            {lastOwn.MessageId <= ReadByOther ? (
              <>
                <Checks size={14} aria-hidden="true" /> {t('read')}
              </>
            ) : (
              <>
                <Check size={14} aria-hidden="true" /> {t('sent')}
              </>
            )}
          </p>
        )}
        <OutgoingMessages outgoing={outgoing} outbox={outbox} />
      </div>
      {isBelow && (
        <Button
          size="small"
          className={s.below}
          icon={<ArrowDown size={15} />}
          onClick={() => {
            const box = list.current;
            if (box) box.scrollTop = box.scrollHeight;
          }}
        >
          {t('newMessages')}
        </Button>
      )}
    </div>
  );
}

function MessageGroup({ group, side }: { group: Group; side: Side }) {
  const { t } = useTranslation('support');
  const [first] = group.messages;
  if (first?.Kind === 'closed') return <p className={s.note}>{t('closedBy', { Name: group.author })}</p>;
  const isOwn = group.side === side;
  return (
    <div className={s.group} data-own={isOwn || undefined}>
      <p className={s.author}>
        {!isOwn && group.author && <span>{group.author}</span>}
        {isOwn && <span className="visually-hidden">{t('you')}</span>}
        {!isOwn && !group.author && <span className="visually-hidden">{t('customer')}</span>}
        <time dateTime={first?.SentAt.replace(' ', 'T')}>{first?.SentAt.slice(11, 16)}</time>
      </p>
      {group.messages.map((message) => (
        <div key={message.MessageId} className={s.message}>
          {message.Text && <p className={s.bubble}>{message.Text}</p>}
          {message.Attachments.map((attachment) => (
            <AttachmentTile key={attachment.AttachmentId} attachment={attachment} />
          ))}
        </div>
      ))}
    </div>
  );
}

function OutgoingMessages({ outgoing, outbox }: { outgoing: Outgoing[]; outbox: Outbox }) {
  const { t } = useTranslation('support');
  const isOnline = useOnline();
  if (outgoing.length === 0) return null;
  // Not an error: it is sent automatically when the network is back.
  const waits = (one: Outgoing) => !isOnline && one.isOffline;
  return (
    <div className={s.group} data-own>
      {outgoing.map((one) => (
        <div
          key={one.key}
          className={s.message}
          data-outgoing
          data-failed={(!one.isSending && !waits(one)) || undefined}
        >
          {one.text && <p className={s.bubble}>{one.text}</p>}
          {one.attachments.map(({ AttachmentId, Name }) => (
            <p key={AttachmentId} className={s.bubble}>
              {Name}
            </p>
          ))}
          {one.isSending && <p className={s.receipt}>{t('sending')}</p>}
          {!one.isSending && (
            <div className={s.failed} role={waits(one) ? 'status' : 'alert'}>
              <span>{waits(one) ? t('waitsForNetwork') : `${t('notSent')} ${one.failed}`}</span>
              <IconButton size="small" label={t('sendAgain')} onClick={() => outbox.retry(one)}>
                <ArrowClockwise size={15} />
              </IconButton>
              <IconButton size="small" label={t('discard')} onClick={() => outbox.remove(one.key)}>
                <Trash size={15} />
              </IconButton>
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
