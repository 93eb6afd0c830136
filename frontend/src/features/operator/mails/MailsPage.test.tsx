// Mails for operators: the list with its filters, sending again, and the texts.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_RESENT, MailTemplate } from '@/core/constants.gen';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast, toastError } from '@/ui/toast';
import { MailsPage } from './MailsPage';
import { ResendSelected } from './ResendSelected';
import { TEMPLATES_BY_TOPIC } from './templates';

beforeEach(() => signInAs('operator'));

const LIST = 'Operator/GetMailList';
const RESEND = 'Operator/ResendMails';
const PREVIEW = 'Operator/PreviewMail';

const REFUSED = '550 5.1.1 The email account that you tried to reach does not exist';

const mail = (change: object = {}) => ({
  MailId: 1,
  Recipient: 'ann@example.com',
  Language: 'en',
  Template: 'purchased',
  State: 'sent',
  Attempts: 1,
  CreatedAt: '2026-11-27 09:00:00',
  SentAt: '2026-11-27 09:00:02',
  NextAttemptAt: null,
  Error: null,
  CanResend: false,
  ...change,
});
const givenUp = (change: object = {}) =>
  mail({ MailId: 2, State: 'failed', Attempts: 10, SentAt: null, Error: REFUSED, CanResend: true, ...change });

const page = (Rows: object[], Total = Rows.length) => ({
  Data: { Rows, Total, TotalIsAtLeast: false, Page: 1, PageSize: 50, SortableFields: ['CreatedAt'] },
});

function opens(rows: object[], more: Parameters<typeof answerWith>[0] = {}, at = '/') {
  const sent = answerWith({ [LIST]: page(rows), [RESEND]: { Data: { Resent: 1, Left: 0 } }, ...more });
  return { sent, ...renderScreen(<MailsPage />, at) };
}

const last = (sent: Sent[], call: string) => sent.findLast((one) => one.call === call)?.body;
const preview = ({ body }: Sent) => ({
  Data: {
    Subject: `${body.Template} in ${body.Language}`,
    Text: `Plain ${body.Template} in ${body.Language}`,
    Html: `<!doctype html><html><head><title>x</title></head><body>Page ${body.Template}</body></html>`,
  },
});

const onDesktop = () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
};

describe('the list', () => {
  beforeEach(onPhone);

  test('an empty list says what will be in it', async () => {
    opens([]);
    expect(await screen.findByText('No mails yet')).toBeVisible();
    expect(screen.getByText(/last 30 days.*not kept once it is sent/)).toBeVisible();
  });

  test('a row has the text in words, the state, and what the server said', async () => {
    vi.setSystemTime(new Date('2026-11-27T10:00:00'));
    const waits = { State: 'queued', SentAt: null, Error: '421 Try later' };
    opens([
      mail(),
      givenUp({ Recipient: 'bob@example.com' }),
      mail({ ...waits, MailId: 3, Attempts: 3, NextAttemptAt: '2026-11-27 10:08:00', CanResend: true }),
      mail({ ...waits, MailId: 4, Attempts: 1, NextAttemptAt: '2026-11-27 09:59:00', Error: null }),
      mail({ ...waits, MailId: 5, Attempts: 0, NextAttemptAt: '2026-11-27 10:00:00', Error: null }),
    ]);
    const rows = await screen.findAllByRole('listitem');
    const [sent, failed, waiting, due, fresh] = rows.map((row) => within(row));
    expect(sent?.getByText('Sent')).toHaveAttribute('data-tone', 'good');
    expect(sent?.getByText('ann@example.com')).toBeVisible();
    expect(sent?.queryByRole('button')).toBeNull();
    expect(sent?.getByRole('link', { name: 'Order paid: static proxies' })).toHaveAttribute(
      'href',
      '/operator/mails?view=texts&Template=purchased&Language=en',
    );
    expect(failed?.getByText('Given up')).toHaveAttribute('data-tone', 'bad');
    expect(failed?.getByText('Tried 10 times')).toBeVisible();
    expect(failed?.getByRole('button', { name: REFUSED })).toBeVisible();
    expect(failed?.getByRole('button', { name: 'Send the mail to bob@example.com again' })).toBeVisible();
    expect(waiting?.getByText('Waiting')).toHaveAttribute('data-tone', 'warn');
    expect(waiting?.getByText('Tried 3 times, next in 8 minutes')).toBeVisible();
    expect(due?.getByText('Tried 1 time, next at once')).toBeVisible();
    expect(fresh?.getByText('Waiting')).toHaveAttribute('data-tone', 'accent');
    expect(fresh?.queryByText(/Tried/)).toBeNull();
    vi.useRealTimers();
  });

  test('filters are in the address and in the call; unknown ones are none', async () => {
    const { sent, addressNow } = opens([givenUp()], {}, '/?State=failed&Template=nothing');
    await screen.findByRole('button', { name: REFUSED });
    expect(screen.getByLabelText('Status')).toHaveValue('failed');
    expect(last(sent, LIST)?.Filter).toEqual({ State: 'failed' });
    await userEvent.selectOptions(screen.getByLabelText('Mail'), 'Low balance');
    await userEvent.type(screen.getByRole('searchbox'), 'ann@');
    await waitFor(() => expect(last(sent, LIST)?.Search).toBe('ann@'));
    expect(last(sent, LIST)?.Filter).toEqual({ State: 'failed', Template: 'low_balance' });
    expect(addressNow()).toBe('/?State=failed&Template=low_balance&Search=ann%40');
  });

  test('a range of days is asked for as times in UTC', async () => {
    const { sent } = opens([mail()], {}, '/?From=2026-11-01&To=2026-11-02');
    await screen.findByText('ann@example.com');
    expect(last(sent, LIST)?.StartTime).toMatch(/^2026-(10-31|11-01) /);
    expect(last(sent, LIST)?.EndTime).toMatch(/^2026-11-0[23] /);
  });

  test('a row is sent again, and the list is fetched again', async () => {
    let rows = [givenUp()];
    const { sent } = opens([], {
      [LIST]: () => page(rows),
      [RESEND]: () => {
        rows = [givenUp({ State: 'queued', Attempts: 0, CanResend: false })];
        return { Data: { Resent: 1, Left: 0 } };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Send the mail to ann@example.com again' }));
    expect(await screen.findByText('Waiting', { selector: 'span' })).toBeVisible();
    expect(last(sent, RESEND)).toEqual({ MailIds: [2] });
    expect(screen.queryByRole('button', { name: /again$/ })).toBeNull();
    expect(showToast).toHaveBeenCalledWith('1 mail is sent again within seconds.', 'success');
  });

  test('of the selected rows, those that were left are counted and explained', async () => {
    const { sent } = opens([mail(), givenUp()], { [RESEND]: { Data: { Resent: 1, Left: 1 } } });
    for (const box of await screen.findAllByRole('checkbox')) await userEvent.click(box);
    const bar = within(screen.getByRole('toolbar'));
    await userEvent.click(bar.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
    expect(last(sent, RESEND)).toEqual({ MailIds: [1, 2] });
    expect(showToast).toHaveBeenCalledWith(
      expect.stringMatching(/^1 mail is sent again within seconds\. 1 was left: .*links that were given up/),
      'warning',
    );
  });

  test('if none can be sent again, only that is said', async () => {
    opens([mail()], { [RESEND]: { Data: { Resent: 0, Left: 1 } } });
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(showToast).toHaveBeenCalledWith(expect.stringMatching(/^1 was left/), 'warning'));
  });

  test('a refused resend keeps the selection', async () => {
    opens([givenUp()], { [RESEND]: { Code: 5000, Message: 'Busy' } });
    await userEvent.click(await screen.findByRole('checkbox'));
    const button = screen.getByRole('button', { name: 'Send again' });
    await userEvent.click(button);
    await waitFor(() => expect(button).toBeEnabled());
    expect(screen.getByText('1 selected')).toBeVisible();
    expect(toastError).toHaveBeenCalledWith('Busy');
    expect(showToast).not.toHaveBeenCalled();
  });

  test('what the mail server said is shown in full, and the mail is sent again from there', async () => {
    const { sent } = opens([givenUp()]);
    await userEvent.click(await screen.findByRole('button', { name: REFUSED }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Order paid: static proxies' }));
    expect(dialog.getByText(REFUSED)).toBeVisible();
    expect(dialog.getByText('ann@example.com')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(last(sent, RESEND)).toEqual({ MailIds: [2] });
  });

  test('a link that was given up says why it cannot be sent again', async () => {
    opens([givenUp({ Template: 'reset_password', CanResend: false })]);
    await userEvent.click(await screen.findByRole('button', { name: REFUSED }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reset the password' }));
    expect(dialog.getByText(/deleted with the last attempt/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Send again' })).toBeNull();
  });
});

describe('the texts', () => {
  beforeEach(onDesktop);

  test('every text has a name of its own, in one topic, in both languages', () => {
    const listed = TEMPLATES_BY_TOPIC.flatMap(({ templates }) => templates);
    expect([...listed].sort()).toEqual(Object.values(MailTemplate).sort());
    for (const lng of ['en', 'zh']) {
      const names = listed.map((template) => i18next.t(`mails:templates.${template}`, { lng }));
      expect(new Set(names).size).toBe(listed.length);
    }
  });

  test('a text is shown in a frame without rights, in both languages and as plain text, all in the address', async () => {
    const { sent, addressNow } = opens([], { [PREVIEW]: preview }, '/?view=texts');
    const frame = await screen.findByTitle('Text of the mail: Confirm a sign-up');
    expect(frame).toHaveAttribute('sandbox', '');
    expect(frame).toHaveAttribute('srcdoc', expect.stringContaining('<base target="_blank">'));
    expect(frame).toHaveAttribute('srcdoc', expect.stringContaining('Page confirm_sign_up'));
    await userEvent.click(screen.getByRole('link', { name: 'Top-up arrived' }));
    expect(await screen.findByText('topped_up in en')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Top-up arrived' })).toHaveAttribute('aria-current', 'true');
    await userEvent.click(screen.getByRole('radio', { name: 'Chinese' }));
    expect(await screen.findByText('topped_up in zh')).toHaveAttribute('lang', 'zh');
    await userEvent.click(screen.getByRole('radio', { name: 'Plain text' }));
    expect(await screen.findByText('Plain topped_up in zh')).toBeVisible();
    expect(screen.queryByTitle(/^Text of the mail/)).toBeNull();
    expect(last(sent, PREVIEW)).toEqual({ Template: 'topped_up', Language: 'zh' });
    expect(addressNow()).toBe('/?view=texts&Template=topped_up&Language=zh&Form=text');
  });

  test('an address opens the text that it names', async () => {
    opens([], { [PREVIEW]: preview }, '/?view=texts&Template=refunded&Language=zh&Form=text');
    expect(await screen.findByText('Plain refunded in zh')).toBeVisible();
  });

  test('texts are found by their names', async () => {
    opens([], { [PREVIEW]: preview }, '/?view=texts');
    await userEvent.type(await screen.findByRole('searchbox'), 'refund TRAFFIC');
    const list = within(screen.getByRole('navigation', { name: 'Texts' }));
    expect(list.getAllByRole('link').map((link) => link.textContent)).toEqual(['Refund: traffic']);
    await userEvent.type(screen.getByRole('searchbox'), 'x');
    expect(list.getByRole('status')).toHaveTextContent('No text has this name.');
  });

  test('on a phone, texts are the options of a select', async () => {
    onPhone();
    const { addressNow } = opens([], { [PREVIEW]: preview }, '/?view=texts');
    await userEvent.selectOptions(await screen.findByLabelText('Mail'), 'Proxy servers down');
    expect(await screen.findByText('servers_down in en')).toBeVisible();
    expect(addressNow()).toBe('/?view=texts&Template=servers_down');
    expect(screen.queryByRole('navigation', { name: 'Texts' })).toBeNull();
  });

  test('a text that cannot be loaded can be asked for again', async () => {
    let isWell = false;
    opens([], { [PREVIEW]: (one) => (isWell ? preview(one) : { Code: 5000, Message: 'Busy' }) }, '/?view=texts');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    isWell = true;
    await userEvent.click(retry);
    expect(await screen.findByText('confirm_sign_up in en')).toBeVisible();
  });

  test('changing the view drops the filters of the other', async () => {
    onPhone();
    const { addressNow } = opens([mail()], { [PREVIEW]: preview }, '/?State=sent');
    await userEvent.click(await screen.findByRole('radio', { name: 'Texts' }));
    expect(addressNow()).toBe('/?view=texts');
    await userEvent.click(screen.getByRole('radio', { name: 'Sent and waiting' }));
    expect(addressNow()).toBe('/');
    expect(await screen.findByText('ann@example.com')).toBeVisible();
  });
});

test('no more mails are sent again at once than the server takes', async () => {
  onPhone();
  const rows = Array.from({ length: MAX_RESENT + 1 }, (_, index) => givenUp({ MailId: index + 1 }));
  renderScreen(<ResendSelected mails={rows as never} isBusy={false} onResend={() => {}} />);
  expect(screen.getByRole('button', { name: 'Send again' })).toBeDisabled();
  expect(screen.getByText('At most 1,000 at once')).toBeVisible();
});
