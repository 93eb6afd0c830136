// The screens /login, /sign-up and /password-reset.
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { useUserStore } from '@/stores/user';
import { answerWith, type Sent } from '@/test/server';
import { AuthPage } from './AuthPage';
import { useTyped } from './forms';

const SHOP = { 'SystemSettings/GetPublicConfig': { Data: { ShopName: 'Postern', DemoShop: true } } };
const USER = {
  UserId: 1,
  Email: 'ann@example.com',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [],
};

function open(path: string) {
  const routes = [
    { path: '/login', element: <AuthPage form="login" /> },
    { path: '/sign-up', element: <AuthPage form="signUp" /> },
    { path: '/password-reset', element: <AuthPage form="passwordReset" /> },
    { path: '*', element: <p>somewhere else</p> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return router;
}

beforeEach(() => {
  useUserStore.setState({ info: null });
  useTyped.setState({ email: '' });
});

test('invalid input is reported at its field and nothing is sent', async () => {
  const sent = answerWith(SHOP);
  open('/sign-up');
  await userEvent.type(screen.getByLabelText('Email'), 'nobody');
  await userEvent.type(screen.getByLabelText('Password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText('Enter a valid email address')).toBeInTheDocument();
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('At least 10 characters');
  expect(screen.getByLabelText('Email')).toBeInvalid();
  expect(sent.filter((one) => one.call === 'User/SignUp')).toEqual([]);
});

test('the email of a sign-up is sent again, or to another address; the terms of the seller are linked', async () => {
  const Data = {
    ShopName: 'Postern',
    DemoShop: true,
    NeedsOperator: false,
    LegalTexts: [],
    TermsUrl: 'https://shop.example/terms',
  };
  const sent = answerWith({
    'SystemSettings/GetPublicConfig': { Data },
    'User/SignUp': ({ body }) =>
      body.InviteCode === 'NOBODY42'
        ? { Code: 2001, Data: { Fields: { InviteCode: [{ Rule: 'unknownInviteCode', Params: {} }] } } }
        : { Data: { Sent: true } },
  });
  useConfigStore.setState({ shop: null });
  open('/sign-up');
  expect(await screen.findByRole('link', { name: 'terms of service' })).toHaveAttribute('href', Data.TermsUrl);
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.con');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse 21');
  await userEvent.type(screen.getByLabelText('Invitation code (optional)'), 'NOBODY42');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText(/There is no such invitation code/)).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText('Invitation code (optional)'));
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  expect(await screen.findByText('Sent again. Only the newest link works.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Change the address' }));
  expect(screen.getByLabelText('Email')).toHaveValue('ann@example.con');
  await userEvent.type(screen.getByLabelText('Email'), '{Backspace}m');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByRole('button', { name: 'Send again' });
  const addresses = sent.filter((one) => one.call === 'User/SignUp').map((one) => one.body.Email);
  expect(addresses).toEqual(['ann@example.con', 'ann@example.con', 'ann@example.con', 'ann@example.com']);
});

const LEGAL = [
  { LegalTextId: 4, Kind: 'terms', Version: 3, PublishedAt: '2026-11-28 10:00:00' },
  { LegalTextId: 7, Kind: 'privacy', Version: 1, PublishedAt: '2026-11-27 10:00:00' },
];

/** Opens the sign-up of a shop with these texts, and fills in its fields. */
async function signsUpAt(LegalTexts: object[], more: Parameters<typeof answerWith>[0] = {}) {
  const shop = { ShopName: 'Postern', DemoShop: false, NeedsOperator: false, LegalTexts };
  const sent = answerWith({
    'SystemSettings/GetPublicConfig': { Data: shop },
    'User/SignUp': { Data: { Sent: true } },
    ...more,
  });
  open('/sign-up');
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse 21');
  return sent;
}
const signUps = (sent: Sent[]) => sent.filter((one) => one.call === 'User/SignUp').map(({ body }) => body);
const creates = () => userEvent.click(screen.getByRole('button', { name: 'Create account' }));

test('the texts of the shop must be accepted, and are accepted by their ids', async () => {
  const sent = await signsUpAt(LEGAL);
  const box = await screen.findByRole('checkbox', { name: 'I accept the terms of service and the privacy policy' });
  expect(screen.getByRole('link', { name: 'terms of service' })).toHaveAttribute('href', '/terms');
  expect(screen.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('target', '_blank');
  await creates();
  expect(box).toBeInvalid();
  await waitFor(() => expect(box).toHaveAccessibleDescription('Accept these to create an account'));
  await waitFor(() => expect(box).toHaveFocus());
  expect(signUps(sent)).toEqual([]);
  await userEvent.click(box);
  expect(box).toBeValid();
  await creates();
  expect(await screen.findByText('Check your email')).toBeVisible();
  expect(signUps(sent)).toMatchObject([{ AcceptedTexts: [4, 7] }]);
});

test('with one text only this is accepted, and the terms kept elsewhere are still named', async () => {
  const TermsUrl = 'https://shop.example/terms';
  const shop = { ShopName: 'Postern', DemoShop: false, NeedsOperator: false, LegalTexts: LEGAL.slice(1), TermsUrl };
  await signsUpAt([], { 'SystemSettings/GetPublicConfig': { Data: shop } });
  expect(await screen.findByRole('checkbox', { name: 'I accept the privacy policy' })).not.toBeChecked();
  expect(screen.getByRole('link', { name: 'terms of service' })).toHaveAttribute('href', TermsUrl);
});

test('a version that is published meanwhile is asked about', async () => {
  let texts = LEGAL.slice(0, 1);
  const refused = { Code: 2001, Data: { Fields: { AcceptedTexts: [{ Rule: 'acceptTexts', Params: {} }] } } };
  const sent = await signsUpAt([], {
    'SystemSettings/GetPublicConfig': () => ({
      Data: { ShopName: 'Postern', DemoShop: false, NeedsOperator: false, LegalTexts: texts },
    }),
    'User/SignUp': ({ body }) =>
      String(body.AcceptedTexts) === String(texts.map(({ LegalTextId }) => LegalTextId))
        ? { Data: { Sent: true } }
        : refused,
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'I accept the terms of service' }));
  texts = [{ LegalTextId: 9, Kind: 'terms', Version: 4, PublishedAt: '2026-11-28 11:00:00' }];
  await creates();
  const box = await screen.findByRole('checkbox', { name: 'I accept the terms of service' });
  await waitFor(() => expect(box).not.toBeChecked());
  expect(box).toBeInvalid();
  await userEvent.click(box);
  await creates();
  expect(await screen.findByText('Check your email')).toBeVisible();
  expect(signUps(sent).map((body) => body.AcceptedTexts)).toEqual([[4], [9]]);
});

test('the texts of the shop are linked below the forms', async () => {
  answerWith({
    'SystemSettings/GetPublicConfig': { Data: { ShopName: 'Postern', DemoShop: false, LegalTexts: LEGAL } },
  });
  open('/login');
  expect(await screen.findByRole('link', { name: 'Terms of service' })).toHaveAttribute('href', '/terms');
  expect(screen.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute('href', '/privacy');
});

test.each([true, false])('a shop that has no operator yet says what to run: %s', async (NeedsOperator) => {
  const sent = answerWith({
    'SystemSettings/GetPublicConfig': { Data: { ShopName: 'Postern', DemoShop: false, NeedsOperator, LegalTexts: [] } },
  });
  open('/login');
  await expect.poll(() => useConfigStore.getState().shop?.NeedsOperator).toBe(NeedsOperator);
  if (NeedsOperator) expect(await screen.findByText('postern init', { selector: 'code' })).toBeVisible();
  else expect(screen.queryByText('postern init')).toBeNull();
  expect(sent.map(({ call }) => call)).toEqual(['SystemSettings/GetPublicConfig']);
});

test('a link to reset the password is sent again', async () => {
  const sent = answerWith({ ...SHOP, 'User/RequestPasswordReset': { Data: { Sent: true } } });
  open('/password-reset');
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  expect(await screen.findByText('Sent again. Only the newest link works.')).toBeInTheDocument();
  expect(sent.filter((one) => one.call === 'User/RequestPasswordReset')).toHaveLength(2);
});

test('visitors choose the theme', async () => {
  answerWith(SHOP);
  open('/login');
  await userEvent.click(screen.getByRole('button', { name: 'Dark theme' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  await userEvent.click(screen.getByRole('button', { name: 'Light theme' }));
  expect(document.documentElement.dataset.theme).toBe('light');
});

test('signing in leads to the requested page, but never to another site', async () => {
  answerWith({ ...SHOP, 'User/Login': { Data: { Token: 't', DeviceId: 'd', User: USER } } });
  for (const [redirect, path] of [
    ['/order?OrderId=7', '/order'],
    ['//evil.example', '/welcome/products'],
  ]) {
    useUserStore.setState({ info: null });
    const router = open(`/login?redirect=${encodeURIComponent(redirect as string)}`);
    await userEvent.type(screen.getAllByLabelText('Email').at(-1) as HTMLElement, 'ann@example.com');
    await userEvent.type(screen.getAllByLabelText('Password').at(-1) as HTMLElement, 'correct horse');
    await userEvent.click(screen.getAllByRole('button', { name: 'Sign in' }).at(-1) as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe(path));
    expect(useUserStore.getState().info?.Token).toBe('t');
    useTyped.setState({ email: '' });
  }
});

test('a device that has signed in before sends its id the next time, also after signing out', async () => {
  const sent = answerWith({ ...SHOP, 'User/Login': { Data: { Token: 't', DeviceId: 'd', User: USER } } });
  for (const expected of [undefined, 'd']) {
    useTyped.setState({ email: 'ann@example.com' });
    const router = open('/login');
    await userEvent.type(screen.getAllByLabelText('Password').at(-1) as HTMLElement, 'correct horse');
    await userEvent.click(screen.getAllByRole('button', { name: 'Sign in' }).at(-1) as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe('/welcome/products'));
    expect(sent.filter((one) => one.call === 'User/Login').at(-1)?.body.DeviceId).toBe(expected);
    useUserStore.getState().signOut();
  }
});

test('a wrong password is reported in place and the input stays', async () => {
  answerWith({
    ...SHOP,
    'User/Login': { Code: 3333, Message: 'Wrong email or password', Data: { Key: 'signInFailed' } },
  });
  open('/login');
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'wrong');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Wrong email or password');
  expect(screen.getByLabelText('Email')).toHaveValue('ann@example.com');
});

test('a code is requested in place, the input stays, and signing in continues to the requested page', async () => {
  const refused = (Key: string, Message: string) => ({ Code: 3333, Message, Data: { Key } });
  const sent = answerWith({
    ...SHOP,
    'User/Login': ({ body }) => {
      if (!body.Code) return refused('twoFactorNeeded', 'Enter the code');
      if (body.Code !== '123456') return refused('twoFactorWrong', 'This code is wrong');
      return { Data: { Token: 't', DeviceId: 'd', User: USER } };
    },
  });
  const router = open('/login?redirect=%2Forder');
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  const code = await screen.findByLabelText('Code');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.type(code, '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('This code is wrong')).toBeInTheDocument();
  expect(code).toBeInvalid();
  expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
  await userEvent.clear(code);
  await userEvent.type(code, '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/order'));
  expect(sent.filter((one) => one.call === 'User/Login').map((one) => one.body.Code)).toEqual([
    undefined,
    '000000',
    '123456',
  ]);
});

test('the typed email carries over between forms, and the language can be switched', async () => {
  answerWith(SHOP);
  open('/login');
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
  await userEvent.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  expect(await screen.findByLabelText('Email')).toHaveValue('ann@example.com');
  await userEvent.click(screen.getByRole('button', { name: '中文' }));
  expect(await screen.findByRole('heading', { name: '重置密码' })).toBeInTheDocument();
  expect(screen.getByLabelText('邮箱')).toHaveValue('ann@example.com');
  expect(i18next.language).toBe('zh');
});

test('a new password says what it ends, and ends keys unless told otherwise', async () => {
  for (const endsKeys of [true, false]) {
    useUserStore.setState({ info: null });
    const sent = answerWith({ ...SHOP, 'User/ResetPassword': { Data: { Token: 't', DeviceId: 'd', User: USER } } });
    const router = open('/password-reset?reset=abc');
    await userEvent.type(
      (await screen.findAllByLabelText('New password')).at(-1) as HTMLElement,
      'correct horse battery',
    );
    expect(screen.getAllByText(/ends all other sessions and known devices/).at(-1)).toBeInTheDocument();
    const tick = screen.getAllByRole('checkbox', { name: /API keys, the access token and list URLs/ }).at(-1);
    expect(tick).toBeChecked();
    if (!endsKeys) await userEvent.click(tick as HTMLElement);
    await userEvent.click(screen.getAllByRole('button', { name: 'Save and sign in' }).at(-1) as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe('/welcome/products'));
    expect(sent.filter((one) => one.call === 'User/ResetPassword').map((one) => one.body.EndKeys)).toEqual([endsKeys]);
  }
});

test('the link of a sign-up waits for its password, and signs in', async () => {
  const sent = answerWith({
    ...SHOP,
    'User/VerifyEmail': ({ body }) =>
      body.Password === 'correct horse 21'
        ? { Data: { Token: 't', DeviceId: 'd', User: USER } }
        : { Code: 3333, Message: 'Not the password', Data: { Key: 'signUpPasswordWrong' } },
  });
  const router = open('/sign-up?verify=abc');
  const create = await screen.findByRole('button', { name: 'Create account' });
  expect(sent.filter((one) => one.call === 'User/VerifyEmail')).toEqual([]);
  await userEvent.type(screen.getByLabelText('Password'), 'not it');
  await userEvent.click(create);
  expect(await screen.findByText('Not the password')).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText('Password'));
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse 21');
  await userEvent.click(create);
  await waitFor(() => expect(router.state.location.pathname).toBe('/welcome/products'));
  expect(sent.filter((one) => one.call === 'User/VerifyEmail').map((one) => one.body)).toEqual([
    { VerifyToken: 'abc', Password: 'not it' },
    { VerifyToken: 'abc', Password: 'correct horse 21' },
  ]);
});

test("the shop's name is shown before any call is answered", () => {
  document.head.innerHTML = '<meta name="shop" content="Ann\'s proxies" data-demo>';
  useConfigStore.setState({ shop: null });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  open('/login');
  expect(screen.getByText("Ann's proxies")).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'View the emails it sends' })).toHaveAttribute('href', '/demo/mail');
  document.head.innerHTML = '';
});

test("the screen shows the seller's brand from the page", () => {
  const meta = document.createElement('meta');
  Object.assign(meta, { name: 'shop', content: 'Ann’s IPs' });
  Object.assign(meta.dataset, { taglineEn: 'Clean and fast', taglineZh: '干净又快', logo: '/brand/abc.svg' });
  document.head.append(meta);
  useConfigStore.setState({ shop: null });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  try {
    open('/login');
    expect(screen.getByText('Clean and fast')).toBeInTheDocument();
    expect(screen.getByText('Ann’s IPs')).toBeInTheDocument();
    expect(document.querySelector('header img')).toHaveAttribute('src', '/brand/abc.svg');
  } finally {
    meta.remove();
  }
});
