// Entries of the audit log in words.
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import type { Schemas } from '@/api/client';
import { AuditAction } from '@/core/constants.gen';
import { AuditActor, AuditChanges, useAuditText } from './AuditChanges';

type Entry = Schemas['AuditEntry'];
type Change = Schemas['AuditChange'];

const entry = (more: Partial<Entry> = {}): Entry => ({
  EntryId: 1,
  At: '2026-02-03 09:00:00',
  Action: 'account_terms',
  Channel: 'screen',
  Operator: 'boss@example.com',
  Actor: '',
  Address: '192.0.2.7',
  AccountId: 7,
  Email: 'ann@example.com',
  Subject: '',
  Reason: '',
  Changes: [],
  ...more,
});

/** What a screen reader reads, line by line. */
const lines = () =>
  screen.queryAllByRole('listitem').map((line) => {
    const read = line.cloneNode(true) as HTMLElement;
    for (const hidden of read.querySelectorAll('[aria-hidden]')) hidden.remove();
    return read.textContent?.replace(/ +/g, ' ');
  });

afterEach(() => vi.restoreAllMocks());

test('an entry without changes and reason shows nothing', () => {
  const { container } = render(<AuditChanges entry={entry()} />);
  expect(container).toBeEmptyDOMElement();
});

const change = (Field: Change['Field'], Before: string | null, After: string | null): Change => ({
  Field,
  Before,
  After,
});

test.each([
  [change('level', '0', '1'), 'Level: Customer changed to Reseller'],
  [change('level', '0', '2'), 'Level: Customer changed to Staff'],
  [change('role', 'support', 'accountant'), 'Role: Support changed to Accountant'],
  [change('discount', '1250', '1500'), 'Discount: 12.5% changed to 15%'],
  [change('access_token', 'false', 'true'), 'Access token: hidden changed to shown'],
  [change('adjustment', null, 'goodwill'), 'Type: goodwill'],
  [change('review', 'to_review', 'refused'), 'Review: to review changed to rejected'],
  [change('verdict', 'unknown_payment', 'settle'), 'Verdict: Unknown payment changed to Settled'],
  [change('state', 'failed', 'enabled'), 'State: turned off after failures changed to on'],
  [change('state', null, 'final'), 'State: Arrived'],
  [change('state', null, 'undone'), 'State: Failed'],
  [change('refunded_to', null, 'btcpay'), 'Refunded to: Crypto'],
  [change('secret', null, '…'), 'Secret: …'],
  [change('kind', null, 'static'), 'Type: static residential'],
  [change('nodes', null, '1200'), 'Static proxies: 1,200'],
  [change('total_uses', null, '1500'), 'Uses in total: 1,500'],
  [change('first_order_only', null, 'true'), 'First order only: yes'],
  [change('ip', '198.18.0.1', '198.18.7.44'), 'IP address: 198.18.0.1 changed to 198.18.7.44'],
  [change('city', 'US new-york', 'DE frankfurt'), 'City: New York, United States changed to Frankfurt, Germany'],
  [change('isp', '', 'Verizon'), 'ISP: Verizon'],
  [change('asn', '701', '7018'), 'ASN: AS701 changed to AS7018'],
  [change('supplier', 'Northwind', ''), 'Supplier: Northwind changed to none'],
  [change('cost', '1.50', '2.00'), 'Cost: 1.50 changed to 2.00'],
  [change('text', '', 'Calls on Mondays'), 'Text: Calls on Mondays'],
  [change('text', 'Calls on Mondays', ''), 'Text: Calls on Mondays changed to none'],
  [change('text', 'Hello', null), 'Text: Hello changed to none'],
  [change('amount', null, '$5.00'), 'Amount: $5.00'],
])('%o is shown in words', (changed, text) => {
  render(<AuditChanges entry={entry({ Changes: [changed] })} />);
  expect(lines()).toEqual([text]);
});

test('a time is shown in the time zone of this browser', () => {
  const local = new Date('2026-12-31T22:00:00Z').toLocaleString('sv-SE');
  render(<AuditChanges entry={entry({ Changes: [change('valid_until', null, '2026-12-31 22:00:00')] })} />);
  expect(lines()).toEqual([`Valid until: ${local}`]);
});

test('of two long texts both begin in sight', () => {
  const [before, after] = ['Calls on Mondays. '.repeat(20).trim(), 'Pays late. '.repeat(20).trim()];
  render(<AuditChanges entry={entry({ Changes: [change('text', before, after)] })} />);
  expect(screen.getByText(before)).toBeVisible();
  expect(screen.getByText(after)).toBeVisible();
  expect(lines()).toEqual([`Text: ${before}changed to ${after}`]);
});

test('a reason is shown after the changes; that of a confirmed payment is what came of it', () => {
  const first = entry({ Changes: [change('amount', null, '$5.00')], Reason: 'for the outage' });
  const { unmount } = render(<AuditChanges entry={first} />);
  expect(lines()).toEqual(['Amount: $5.00', 'Reason: for the outage']);
  unmount();
  render(<AuditChanges entry={entry({ Action: 'payment_settled', Reason: 'credit_wallet' })} />);
  expect(lines()).toEqual(['Result: Credited to the wallet']);
});

test('a long text is shown in full on request', async () => {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(90);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(60);
  render(<AuditChanges entry={entry({ Reason: 'because '.repeat(60) })} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  [entry(), 'boss@example.com'],
  [entry({ Channel: 'api_key', Actor: 'Deploy' }), 'boss@example.com by API key Deploy'],
  [entry({ Channel: 'command', Operator: null, Actor: 'root' }), 'Server command (user root)'],
  [entry({ Channel: 'command', Operator: null }), 'Server command'],
  [entry({ Operator: null }), 'unknown operator'],
])('%o: who it was', (one, text) => {
  const { container } = render(<AuditActor entry={one} />);
  const parts = [...(container.firstElementChild?.children ?? [])].map((part) => part.textContent);
  expect(parts.join(' ')).toBe(text);
});

test('each action has a text in both languages', async () => {
  function All() {
    const auditText = useAuditText();
    return Object.values(AuditAction).map((action) => <p key={action}>{auditText({ Action: action })}</p>);
  }
  for (const language of ['en', 'zh']) {
    await i18next.changeLanguage(language);
    const { container, unmount } = render(<All />);
    expect(container.textContent).not.toMatch(/action\./);
    unmount();
  }
});
