// The support chat over every screen: a window, or a bubble in the corner. Drafts are kept while minimised.
import { ChatCircleDots, Minus, X } from '@phosphor-icons/react';
import { type DragEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { CHAT, getOwnConversation, markMessagesRead, sendMessage } from '@/api/support';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useIsSuspended } from '@/stores/sidebar';
import { useSupportStore } from '@/stores/support';
import { isViewing } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { ErrorState } from '@/ui/State';
import { useMedia } from '@/ui/useMedia';
import { Composer, useAddFiles } from '../Composer';
import { MessageList } from '../MessageList';
import s from '../support.module.css';
import { useConversation } from '../useConversation';
import { useConversationEvents } from '../useConversationEvents';
import { useOnline } from '../useOnline';
import { useOutbox } from '../useOutbox';
import { useUploads } from '../useUploads';

export function ChatDock() {
  const { t } = useTranslation('support');
  const chat = useSupportStore((state) => state.chat);
  const unread = useSupportStore((state) => state.unread);
  const [text, setText] = useState('');
  const files = useUploads();
  const own = useConversation(CHAT, getOwnConversation);
  const outbox = useOutbox(
    (message, AttachmentIds, idempotencyKey) => sendMessage({ Text: message, AttachmentIds }, idempotencyKey),
    own.refresh,
  );
  useConversationEvents('Support/WaitForMessages', own.refresh);

  const known = own.conversation?.Unread;
  useEffect(() => {
    if (known !== undefined) useSupportStore.getState().setUnread(known);
  }, [known]);

  const marked = useRef(0);
  const markRead = async (MessageId: number) => {
    if (!known || MessageId <= marked.current || isViewing()) return;
    marked.current = MessageId;
    try {
      const { Unread } = await markMessagesRead(MessageId);
      own.change((now) => ({ ...now, Unread }));
    } catch {
      // The next poll retries.
      marked.current = 0;
    }
  };

  if (chat === 'minimised') {
    return (
      <button
        type="button"
        className={s.bubbleButton}
        onClick={() => useSupportStore.getState().openChat()}
        aria-label={unread > 0 ? t('openUnread', { Count: unread }) : t('open')}
      >
        <ChatCircleDots size={26} weight="fill" aria-hidden="true" />
        {unread > 0 && <span className={s.unread}>{unread}</span>}
      </button>
    );
  }
  return (
    <ChatWindow
      text={text}
      onText={setText}
      files={files}
      conversation={own.conversation}
      onRetry={own.isFailed ? own.retry : undefined}
      outbox={outbox}
      onEarlier={own.loadEarlier}
      onSeen={markRead}
    />
  );
}

interface ChatWindowProps {
  text: string;
  onText: (text: string) => void;
  files: ReturnType<typeof useUploads>;
  conversation: Schemas['Conversation'] | undefined;
  onRetry: (() => void) | undefined;
  outbox: ReturnType<typeof useOutbox>;
  onEarlier: () => Promise<void>;
  onSeen: (messageId: number) => void;
}

function ChatWindow({ text, onText, files, conversation, onRetry, outbox, onEarlier, onSeen }: ChatWindowProps) {
  const { t } = useTranslation(['support', 'nav']);
  const isSuspended = useIsSuspended();
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const shop = useConfigStore((state) => state.shop);
  const field = useRef<HTMLTextAreaElement>(null);
  const isOnline = useOnline();
  const add = useAddFiles(files);
  const [isOver, setOver] = useState(false);
  const close = useFocusReturn(field, conversation !== undefined);
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      add(event.dataTransfer.files);
    },
  };
  const { minimiseChat, closeChat } = useSupportStore.getState();
  return (
    // Not modal: the screen beside it stays usable.
    <div
      role="dialog"
      aria-label={t('title')}
      className={s.window}
      data-over={isOver || undefined}
      onKeyDown={(event) => {
        // A dialog above the chat handles Escape itself.
        if (event.key === 'Escape' && !event.defaultPrevented && event.currentTarget.contains(event.target as Node)) {
          close(minimiseChat);
        }
      }}
      {...drop}
    >
      <div className={s.windowHead}>
        <div>
          <h2>{t('title')}</h2>
          <p>{t('subtitle', { Shop: shop?.ShopName ?? '' })}</p>
          {!isSuspended && (
            // On a phone the chat would cover the screen.
            <Link to="/status" className={s.status} onClick={() => isMobile && minimiseChat()}>
              {t('nav:status')}
            </Link>
          )}
        </div>
        <IconButton size="small" label={t('minimise')} onClick={() => close(minimiseChat)}>
          <Minus size={16} />
        </IconButton>
        <IconButton size="small" label={t('close')} onClick={() => close(closeChat)}>
          <X size={16} />
        </IconButton>
      </div>
      {!isOnline && <Notice tone="warn">{t('offline')}</Notice>}
      {onRetry && <ErrorState onRetry={onRetry} />}
      {!conversation && !onRetry && (
        <div className={s.loading}>
          <LoadingState rows={4} />
        </div>
      )}
      {conversation && (
        <MessageList
          conversation={conversation}
          side="customer"
          outbox={outbox}
          onEarlier={onEarlier}
          onSeen={onSeen}
          empty={<p className={s.welcome}>{t('welcome', { Email: shop?.SupportEmail ?? '' })}</p>}
        />
      )}
      {conversation && <Composer text={text} onText={onText} files={files} onSend={outbox.write} field={field} />}
      {isOver && (
        <div className={s.drop} aria-hidden="true">
          {t('dropHere')}
        </div>
      )}
    </div>
  );
}

/** Opening focuses the composer; closing returns the focus. */
function useFocusReturn(field: React.RefObject<HTMLTextAreaElement | null>, isReady: boolean) {
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    opener.current = document.activeElement as HTMLElement | null;
  }, []);
  useEffect(() => {
    if (isReady) field.current?.focus();
  }, [isReady, field]);
  return (act: () => void) => {
    act();
    const { current } = opener;
    (current?.isConnected && current !== document.body ? current : document.getElementById('main'))?.focus();
  };
}
