// Groups messages by day and sender.
import type { Message } from './useConversation';

export interface Group {
  side: Message['Side'];
  author: string;
  messages: Message[];
}

export interface Day {
  /** `YYYY-MM-DD`, in the user's time zone. */
  date: string;
  groups: Group[];
}

/** Times are in the user's time zone already. */
export function byDay(messages: readonly Message[]): Day[] {
  const days: Day[] = [];
  for (const message of messages) {
    const date = message.SentAt.slice(0, 10);
    if (days.at(-1)?.date !== date) days.push({ date, groups: [] });
    const groups = days.at(-1)?.groups ?? [];
    const last = groups.at(-1);
    const isNote = (one: Message | undefined) => one?.Kind === 'closed';
    const isSame =
      last &&
      last.side === message.Side &&
      last.author === message.Author &&
      !isNote(message) &&
      !isNote(last.messages[0]);
    if (isSame) last.messages.push(message);
    else groups.push({ side: message.Side, author: message.Author, messages: [message] });
  }
  return days;
}

/** "Today", "Yesterday", or the date. */
export function dayText(date: string, language: string, now = new Date()): string {
  const day = new Date(`${date}T00:00:00`);
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const ago = Math.round((today.getTime() - day.getTime()) / 86_400_000);
  if (ago === 0 || ago === 1) {
    const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-ago, 'day');
    return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
  }
  const year = day.getFullYear() === today.getFullYear() ? undefined : ('numeric' as const);
  return new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', year }).format(day);
}
