// Switch records: requests and export.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { toastError } from '@/ui/toast';
import { COMMON_REPLIES, node, page, REGULAR } from '../fixtures';
import { ReplacedPage } from './ReplacedPage';

const RECORD = {
  ...node(1),
  SwitchId: 1,
  OldIp: '198.18.0.1',
  NewIp: '198.18.7.44',
  OldNodeId: 1,
  NewNodeId: 44,
  Mode: 'unit_price',
  Reason: 'Too slow',
  Price: '5.00',
  Currency: 'USD',
  Email: 'anna@example.com',
  CreatedAt: '2026-11-20 10:00:00',
};

beforeEach(onPhone);

test('without switches an empty state is shown', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/UserGetSwitchRecording': page([]) });
  renderScreen(<ReplacedPage />);
  expect(await screen.findByText('Nothing has been switched')).toBeVisible();
});

test('a record shows old and new IP, reason and cost; filters are sent to the server', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/UserGetSwitchRecording': page([RECORD]) });
  renderScreen(<ReplacedPage />);
  for (const text of ['198.18.0.1', '198.18.7.44', 'Too slow', '$5.00']) {
    expect(await screen.findByText(text)).toBeVisible();
  }
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Paid');
  await userEvent.selectOptions(screen.getByLabelText('Plan'), 'Regular');
  await waitFor(() =>
    expect(sent.filter((one) => one.call === 'Ips/UserGetSwitchRecording').at(-1)?.body.Filter).toEqual({
      VerStr: REGULAR,
      Mode: 'unit_price',
    }),
  );
});

test('a proxy that the seller has replaced is marked as such, and free', async () => {
  const replaced = { ...RECORD, Mode: 'replaced', Email: '', Price: '0.00' };
  answerWith({ ...COMMON_REPLIES, 'Ips/UserGetSwitchRecording': page([replaced]) });
  renderScreen(<ReplacedPage />);
  const badge = await screen.findByText('Replaced by us', { selector: 'span' });
  expect(badge).toHaveAttribute('data-tone', 'neutral');
});

test("an export uses the screen's filters, and a refusal is shown", async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/UserGetSwitchRecording': page([RECORD]),
    'Ips/ExportSwitchRecording': { Code: 4290, Message: 'Too many' },
  });
  renderScreen(<ReplacedPage />);
  await userEvent.selectOptions(await screen.findByLabelText('Type'), 'Free');
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
  await waitFor(() => expect(toastError).toHaveBeenCalledWith('Too many'));
  expect(sent.find((one) => one.call === 'Ips/ExportSwitchRecording')?.body).toMatchObject({
    Format: 'csv',
    Filter: { Mode: 'quota' },
  });
});
