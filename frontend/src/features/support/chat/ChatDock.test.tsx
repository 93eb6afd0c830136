// The support chat: retries, ordering, uploads, and IME input.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { useSupportStore } from '@/stores/support';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import type { Message } from '../useConversation';
import { ChatDock } from './ChatDock';

const message = (MessageId: number, Text: string, changes: Partial<Message> = {}): Message => ({
  MessageId,
  Text,
  Kind: 'text',
  Side: 'customer',
  Author: '',
  Attachments: [],
  SentAt: '2026-11-20 10:00:00',
  ...changes,
});

/** A fake server that stores messages. */
function support(messages: Message[], send: (sent: Sent, messages: Message[]) => 'network' | { Data: unknown }) {
  return answerWith({
    'Support/WaitForMessages': { Code: 4290, Data: { RetryAfterMs: 60_000 } },
    'Support/GetConversation': ({ body }) => ({
      Data: {
        State: 'open',
        Messages: messages.filter(({ MessageId }) => MessageId > Number(body.After ?? 0)),
        HasEarlier: false,
        HasLater: false,
        Unread: messages.filter(({ Side }) => Side === 'operator').length,
        ReadByOther: 0,
      },
    }),
    'Support/MarkRead': { Data: { Unread: 0 } },
    'Support/SendMessage': (sent) => send(sent, messages),
  });
}

const keep = (sent: Sent, messages: Message[]) => {
  const kept = message(messages.length + 1, String(sent.body.Text));
  messages.push(kept);
  return { Data: kept };
};
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call);
const field = () => screen.findByRole('textbox', { name: 'Message' });

beforeEach(() => useSupportStore.setState({ chat: 'open', unread: 0 }));

test('a message whose response was lost is resent with its key, and shown once', async () => {
  let attempts = 0;
  const sent = support([], (one, messages) => {
    attempts += 1;
    return attempts === 1 ? 'network' : keep(one, messages);
  });
  renderScreen(<ChatDock />);
  await userEvent.type(await field(), 'Hello{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  await screen.findByText('Sent');
  expect(screen.getAllByText('Hello')).toHaveLength(1);
  const keys = of(sent, 'Support/SendMessage').map(({ headers }) => headers['Idempotency-Key']);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('an answer that arrived while a message was being sent is shown before it', async () => {
  support([message(1, 'Hello')], (one, messages) => {
    messages.push(message(2, 'Hi Ann', { Side: 'operator', Author: 'Robin' }));
    return keep(one, messages);
  });
  renderScreen(<ChatDock />);
  await userEvent.type(await field(), 'Anybody?{Enter}');
  await screen.findByText('Hi Ann');
  const log = screen.getByRole('log', { name: 'Messages' });
  await within(log).findByText('Sent');
  expect(log.textContent?.indexOf('Hi Ann')).toBeLessThan(log.textContent?.indexOf('Anybody?') ?? 0);
});

test('Enter commits an IME composition, and Shift+Enter inserts a line break', async () => {
  const sent = support([], keep);
  renderScreen(<ChatDock />);
  const text = await field();
  await userEvent.type(text, '你');
  fireEvent.keyDown(text, { key: 'Enter', isComposing: true });
  await userEvent.type(text, '好{Shift>}{Enter}{/Shift}吗{Enter}');
  await waitFor(() => expect(of(sent, 'Support/SendMessage')).toHaveLength(1));
  expect(of(sent, 'Support/SendMessage')[0]?.body.Text).toBe('你好\n吗');
});

test('unread messages are marked as read once seen, and announced while the chat is minimised', async () => {
  const sent = support([message(7, 'Hi Ann', { Side: 'operator', Author: 'Robin' })], keep);
  useSupportStore.setState({ chat: 'minimised' });
  renderScreen(<ChatDock />);
  const bubble = await screen.findByRole('button', { name: 'Open the chat with support, unread: 1' });
  expect(of(sent, 'Support/MarkRead')).toHaveLength(0);
  await userEvent.click(bubble);
  await screen.findByText('Hi Ann');
  await waitFor(() => expect(useSupportStore.getState().unread).toBe(0));
  expect(of(sent, 'Support/MarkRead').map(({ body }) => body)).toEqual([{ MessageId: 7 }]);
  await userEvent.keyboard('{Escape}');
  expect(useSupportStore.getState().chat).toBe('minimised');
});

test('a file that cannot be attached is not sent', async () => {
  support([], keep);
  renderScreen(<ChatDock />);
  const text = await field();
  const file = new File(['MZ'], 'setup.exe');
  fireEvent.paste(text, { clipboardData: { files: [file] } });
  await screen.findByText('Attach PNG, JPEG, WebP, PDF, TXT, LOG or CSV files');
  await userEvent.click(screen.getByRole('button', { name: 'Remove setup.exe' }));
  expect(screen.queryByText('setup.exe')).not.toBeInTheDocument();
});

/** Uploads that succeed or fail when the test says so. */
function uploads() {
  const ends: ((attachment: object | undefined) => Promise<void>)[] = [];
  class FakeRequest {
    upload = {};
    status = 0;
    response?: ArrayBuffer;
    onload = () => {};
    onerror = () => {};
    open() {}
    setRequestHeader() {}
    send() {
      ends.push(async (Data) => {
        if (!Data) return this.onerror();
        this.status = 200;
        this.response = await new Response(JSON.stringify({ Code: 1000, Message: '', Data })).arrayBuffer();
        this.onload();
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const attach = async (name: string) => {
    fireEvent.paste(await field(), { clipboardData: { files: [new File(['%PDF-1.7'], name)] } });
    await screen.findByRole('button', { name: `Remove ${name}` });
  };
  return { attach, end: (index: number, attachment?: object) => act(async () => ends[index]?.(attachment)) };
}
const invoice = { AttachmentId: 5, Name: 'invoice.pdf', Kind: 'pdf', Bytes: 8 };

test('a message waits for its file and is sent with it, once', async () => {
  const sent = support([], keep);
  const { attach, end } = uploads();
  renderScreen(<ChatDock />);
  await attach('invoice.pdf');
  await userEvent.type(await field(), 'Here{Enter}{Enter}');
  await screen.findByText('Sends when the upload is done');
  expect(of(sent, 'Support/SendMessage')).toHaveLength(0);
  await end(0, invoice);
  await waitFor(() => expect(of(sent, 'Support/SendMessage')).toHaveLength(1));
  expect(of(sent, 'Support/SendMessage')[0]?.body).toMatchObject({ Text: 'Here', AttachmentIds: [5] });
  expect(await field()).toHaveValue('');
});

test('a file that fails while a message waits holds it back, and an earlier failure does not', async () => {
  const sent = support([], keep);
  const { attach, end } = uploads();
  renderScreen(<ChatDock />);
  await attach('invoice.pdf');
  await userEvent.type(await field(), 'Here{Enter}');
  await end(0);
  await screen.findByText('Network error');
  expect(of(sent, 'Support/SendMessage')).toHaveLength(0);
  expect(await field()).toHaveValue('Here');

  await attach('receipt.pdf');
  await userEvent.type(await field(), '{Enter}');
  await end(1, { ...invoice, AttachmentId: 6 });
  await waitFor(() => expect(of(sent, 'Support/SendMessage')).toHaveLength(1));
  expect(of(sent, 'Support/SendMessage')[0]?.body).toMatchObject({ Text: 'Here', AttachmentIds: [6] });
});
