// Terms and privacy policy for operators: versions, and writing a new one.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { StaffRole } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { showToast } from '@/ui/toast';
import { AnnouncementsPage } from './AnnouncementsPage';
import { useDrafts } from './drafts';
import { signInAs, version } from './fixtures';

const LIST = 'Operator/GetLegalTextList';
const TEXT = 'Operator/GetLegalText';
const PUBLISH = 'Operator/PublishLegalText';

const OLD = version({
  LegalTextId: 2,
  Version: 1,
  IsCurrent: false,
  Acceptances: 1,
  PublishedAt: '2026-10-01 10:00:00',
});
const TERMS = { ...version(), BodyEn: '# Payment\n\nYou pay first.', BodyZh: '' };

function opens(at: string, versions: object[] = [version(), OLD], more: Parameters<typeof answerWith>[0] = {}) {
  const sent = answerWith({
    [LIST]: { Data: versions },
    [TEXT]: { Data: TERMS },
    'SystemSettings/GetPublicConfig': { Data: { LegalTexts: [] } },
    ...more,
  });
  return { sent, ...renderScreen(<AnnouncementsPage />, at) };
}

const VIEW = '/?view=legal';
const WRITE = '/?view=legal&write=terms';
const bodies = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map(({ body }) => body);
const english = () => screen.findByLabelText('Text in English');
const presses = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => signInAs());

test('the current version, what was published before, and a text that is not there yet', async () => {
  opens(VIEW);
  const list = await screen.findByRole('list', { name: 'Versions: Terms of service' });
  const [current, old] = within(list).getAllByRole('listitem');
  for (const text of ['Version 2', 'Current', '2026-11-28 10:00:00 by boss@example.com', 'Accepted by 5 users'])
    expect(current).toHaveTextContent(text);
  for (const text of ['Version 1', 'Accepted by 1 user']) expect(old).toHaveTextContent(text);
  expect(old).not.toHaveTextContent('Current');
  const open = screen.getByRole('link', { name: 'Open public page: Terms of service' });
  expect(open).toHaveAttribute('href', '/terms');
  expect(open).toHaveAttribute('target', '_blank');
  expect(screen.getByText('No privacy policy yet')).toBeVisible();
  expect(screen.getByText(/sign-ups must accept it, customers are asked/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Write the first version: Privacy policy' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Open public page: Privacy policy' })).toBeNull();
});

test('the views are in the address', async () => {
  const { addressNow } = opens('/', [], { 'Operator/GetAnnouncementList': { Data: [] } });
  await screen.findByText('No announcements yet');
  await userEvent.click(screen.getByRole('radio', { name: 'Terms and privacy' }));
  expect(await screen.findByText('No terms of service yet')).toBeVisible();
  expect(addressNow()).toBe(VIEW);
});

test('a version is shown as it is rendered; a language in which it is not written says so', async () => {
  const { sent } = opens(VIEW);
  await screen.findByRole('list', { name: 'Versions: Terms of service' });
  await presses('Show version 1: Terms of service');
  const dialog = within(await screen.findByRole('dialog', { name: 'Terms of service, version 1' }));
  expect(await dialog.findByRole('heading', { name: 'Payment' })).toBeVisible();
  expect(bodies(sent, TEXT)).toEqual([{ LegalTextId: 2 }]);
  await userEvent.click(dialog.getByRole('radio', { name: '中文' }));
  expect(dialog.getByText(/its readers see the other one/)).toBeVisible();
});

test('a new version begins with the current one, and says what it asks of customers', async () => {
  const { sent } = opens(WRITE);
  expect(await english()).toHaveValue(TERMS.BodyEn);
  expect(screen.getByLabelText('Text in Chinese')).toHaveValue('');
  expect(screen.getByText(/every customer is asked to accept it at their next visit, and sign-ups/)).toBeVisible();
  expect(bodies(sent, TEXT)).toEqual([{ LegalTextId: 4 }]);
});

test('what is written is previewed, and stays when the preview is left', async () => {
  opens(WRITE);
  await userEvent.type(await english(), '{Enter}{Enter}- No spam');
  await userEvent.click(screen.getByRole('radio', { name: 'Preview' }));
  const preview = within(screen.getByRole('region', { name: 'Text in English' }));
  expect(preview.getByRole('heading', { name: 'Payment' })).toBeVisible();
  expect(preview.getByRole('listitem')).toHaveTextContent('No spam');
  expect(
    within(screen.getByRole('region', { name: 'Text in Chinese' })).getByText(/Nothing written yet/),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Write' }));
  expect(await english()).toHaveValue(`${TERMS.BodyEn}\n\n- No spam`);
});

test('publishing asks first; the answer is the new list, and the draft is gone', async () => {
  const next = version({ LegalTextId: 9, Version: 3, Acceptances: 0 });
  const { sent, addressNow } = opens(WRITE, undefined, { [PUBLISH]: { Data: [next, version({ IsCurrent: false })] } });
  await userEvent.type(await screen.findByLabelText('Text in Chinese'), '先付款');
  await presses('Publish');
  const question = within(await screen.findByRole('dialog', { name: 'Publish version 3?' }));
  expect(bodies(sent, PUBLISH)).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Publish now' }));
  await waitFor(() => expect(addressNow()).toBe(VIEW));
  expect(bodies(sent, PUBLISH)).toEqual([{ Kind: 'terms', BodyEn: TERMS.BodyEn, BodyZh: '先付款' }]);
  expect(sent.find(({ call }) => call === PUBLISH)?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  const list = await screen.findByRole('list', { name: 'Versions: Terms of service' });
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('Version 3');
  expect(showToast).toHaveBeenCalledWith('Version 3 is published', 'success');
  expect(useDrafts.getState().drafts).toEqual({});
});

test('an empty version is refused before anything is asked, also from the preview', async () => {
  const { sent } = opens('/?view=legal&write=privacy');
  await english();
  await userEvent.click(screen.getByRole('radio', { name: 'Preview' }));
  await presses('Publish');
  expect(screen.getByLabelText('Text in English')).toHaveAccessibleDescription(/at least one language/);
  await waitFor(() => expect(screen.getByLabelText('Text in English')).toHaveFocus());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bodies(sent, PUBLISH)).toEqual([]);
});

test('a text that has not changed is refused by the server at its field', async () => {
  const Fields = { BodyEn: [{ Rule: 'textUnchanged', Params: {} }] };
  opens(WRITE, undefined, { [PUBLISH]: { Code: 2001, Message: 'Invalid', Data: { Fields } } });
  await english();
  await presses('Publish');
  await userEvent.click(await screen.findByRole('button', { name: 'Publish now' }));
  await waitFor(async () => expect(await english()).toHaveAccessibleDescription(/published already/));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what was written is not lost by leaving, and is continued', async () => {
  const { unmount } = opens(WRITE);
  await userEvent.type(await english(), ' Always.');
  await userEvent.click(screen.getByRole('link', { name: 'Back' }));
  expect(await screen.findByText(/being written in this tab/)).toBeVisible();
  unmount();
  opens(VIEW);
  await userEvent.click(await screen.findByRole('link', { name: 'Continue writing: Terms of service' }));
  expect(await english()).toHaveValue(`${TERMS.BodyEn} Always.`);
});

test('discarding asks first if something was written', async () => {
  const { addressNow } = opens(WRITE);
  await userEvent.type(await english(), ' Always.');
  await presses('Discard');
  const question = within(await screen.findByRole('dialog', { name: 'Discard this version?' }));
  await userEvent.click(question.getByRole('button', { name: 'Keep writing' }));
  expect(await english()).toHaveValue(`${TERMS.BodyEn} Always.`);
  await presses('Discard');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  expect(addressNow()).toBe(VIEW);
  expect(await screen.findByRole('link', { name: 'Write a new version: Terms of service' })).toBeVisible();
});

test('an operator who signs out leaves no draft to the next one', async () => {
  opens(WRITE);
  await userEvent.type(await english(), ' Always.');
  expect(useDrafts.getState().drafts.terms?.BodyEn).toMatch(/Always/);
  useUserStore.getState().signOut();
  expect(useDrafts.getState().drafts).toEqual({});
});

test('a role that may only read sees the versions, and no editor', async () => {
  signInAs(StaffRole.Support);
  opens(WRITE);
  await screen.findByRole('list', { name: 'Versions: Terms of service' });
  expect(screen.queryByLabelText('Text in English')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Write/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Show version 2: Terms of service' })).toBeVisible();
});
