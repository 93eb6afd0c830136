// Grouping of messages, and names of days.
import { describe, expect, it } from 'vitest';
import { byDay, dayText } from './days';
import { joined, type Message } from './useConversation';

const message = (MessageId: number, SentAt: string, changes: Partial<Message> = {}): Message => ({
  MessageId,
  SentAt,
  Kind: 'text',
  Side: 'customer',
  Author: '',
  Text: String(MessageId),
  Attachments: [],
  ...changes,
});

describe('messages', () => {
  it('are grouped by day and sender', () => {
    const days = byDay([
      message(1, '2026-11-20 23:58:00'),
      message(2, '2026-11-20 23:59:00'),
      message(3, '2026-11-21 00:01:00'),
      message(4, '2026-11-21 00:02:00', { Side: 'operator', Author: 'Robin' }),
      message(5, '2026-11-21 00:03:00', { Side: 'operator', Author: 'Kim' }),
      message(6, '2026-11-21 00:04:00', { Side: 'operator', Author: 'Kim', Kind: 'closed' }),
      message(7, '2026-11-21 00:05:00', { Side: 'operator', Author: 'Kim' }),
    ]);
    expect(days.map((day) => [day.date, day.groups.map((group) => group.messages.length)])).toEqual([
      ['2026-11-20', [2]],
      ['2026-11-21', [1, 1, 1, 1, 1]],
    ]);
  });

  it('are unique and in order, whichever came first', () => {
    const [one, two, three] = [1, 2, 3].map((id) => message(id, '2026-11-20 10:00:00'));
    if (!one || !two || !three) throw new Error('three messages');
    expect(joined([three, one], [two, three])).toEqual([one, two, three]);
  });

  it('have a day with a name', () => {
    const now = new Date('2026-11-22T09:00:00');
    expect(dayText('2026-11-22', 'en', now)).toBe('Today');
    expect(dayText('2026-11-21', 'zh', now)).toBe('昨天');
    expect(dayText('2026-11-20', 'en', now)).toBe('Friday, November 20');
    expect(dayText('2025-11-20', 'zh', now)).toBe('2025年11月20日星期四');
  });
});
