// The endpoint generator.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { endpointServer, endpointSettings, proxyUser } from '../userFixtures';
import { GeneratorPage } from './GeneratorPage';

const USERS = [proxyUser(1), proxyUser(2, { State: 'paused', Countries: ['DE'] })];
const REPLIES = {
  'Endpoints/GetServerList': { Data: [endpointServer()] },
  'ProxyUsers/GetProxyUserList': { Data: { Rows: USERS, Total: 2 } },
  'ProxyUsers/RevealProxyUserPassword': { Data: { Password: 'k3yring99' } },
  'Endpoints/GetUrlList': { Data: [] },
  'Endpoints/GetPresetList': {
    Data: [{ PresetId: 4, Name: 'Germany', Settings: endpointSettings({ Country: 'DE', Count: 3 }) }],
  },
};

const lines = async () => {
  const list = await screen.findByRole('region', { name: 'Endpoints' });
  return within(list)
    .getAllByRole('listitem')
    .map((line) => line.textContent);
};

test('without a server it says that there is nothing to connect to', async () => {
  answerWith({ ...REPLIES, 'Endpoints/GetServerList': { Data: [] } });
  renderScreen(<GeneratorPage />);
  expect(await screen.findByText('No proxy server yet')).toBeVisible();
});

test('without a proxy user it links to creating one', async () => {
  answerWith({ ...REPLIES, 'ProxyUsers/GetProxyUserList': { Data: { Rows: [], Total: 0 } } });
  renderScreen(<GeneratorPage />);
  expect(await screen.findByRole('link', { name: 'Go to proxy users' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy all' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Test an endpoint' })).toBeNull();
});

test('a password that cannot be fetched is replaced by a placeholder, and the screen says so', async () => {
  answerWith({ ...REPLIES, 'ProxyUsers/RevealProxyUserPassword': { Code: 5000, Message: 'no', status: 500 } });
  renderScreen(<GeneratorPage />);
  expect(await screen.findByText(/“password” in its place/)).toBeVisible();
  await waitFor(async () => expect((await lines())[0]).toMatch(/:password$/));
});

test('no line is offered before its password is there', async () => {
  let release = () => {};
  const password = new Promise<{ Data: object }>((resolve) => {
    release = () => resolve(REPLIES['ProxyUsers/RevealProxyUserPassword']);
  });
  answerWith({ ...REPLIES, 'ProxyUsers/RevealProxyUserPassword': () => password });
  renderScreen(<GeneratorPage />);
  expect(await screen.findByRole('button', { name: 'Copy all' })).toBeDisabled();
  expect(screen.queryByRole('region', { name: 'Endpoints' })).toBeNull();
  expect(screen.queryByText(/“password” in its place/)).toBeNull();
  release();
  await waitFor(async () => expect((await lines())[0]).toMatch(/:k3yring99$/));
});

test('converted lines have our password also where whitelisted addresses connect, and none is offered while it is old', async () => {
  answerWith(REPLIES);
  renderScreen(<GeneratorPage />);
  await userEvent.click(await screen.findByRole('radio', { name: 'IP whitelist' }));
  await userEvent.click(screen.getByRole('button', { name: 'Convert a list' }));
  const dialog = within(await screen.findByRole('dialog'));
  const pasted = dialog.getByRole('textbox');
  await userEvent.click(pasted);
  await userEvent.paste('gate.vendor.example:7000:customer-ann-cc-us:theirs');
  const copyIt = dialog.getByRole('button', { name: 'Copy all' });
  await waitFor(() => expect(copyIt).toBeEnabled());
  expect(dialog.getByRole('listitem')).toHaveTextContent(/:k3yring99$/);
  await userEvent.type(pasted, 'x');
  expect(copyIt).toBeDisabled();
  await waitFor(() => expect(copyIt).toBeEnabled());
});

test('the settings are applied to the lines and the address, and the password is fetched once', async () => {
  const sent = answerWith(REPLIES);
  const { addressNow } = renderScreen(<GeneratorPage />);
  await userEvent.selectOptions(await screen.findByLabelText('Country'), 'United States');
  await userEvent.type(screen.getByLabelText('City'), 'New York');
  await userEvent.click(screen.getByRole('radio', { name: 'Sticky' }));
  await userEvent.click(screen.getByRole('button', { name: 'Number of lines: 100' }));
  await waitFor(async () =>
    expect((await lines())[0]).toMatch(
      /^1gate\.example:8000:user-scraper_1-country-us-city-new_york-session-\w{8}-ttl-10:k3yring99$/,
    ),
  );
  expect(screen.getByText(/^100 lines/)).toBeVisible();
  await waitFor(() => expect(addressNow()).toContain('Country=US&City=New+York&Sticky=true&Count=100'));
  expect(addressNow()).not.toContain('k3yring99');
  expect(sent.filter((one) => one.call === 'ProxyUsers/RevealProxyUserPassword')).toHaveLength(1);
});

test('why rotating lines are alike is said where their number is chosen', async () => {
  answerWith(REPLIES);
  renderScreen(<GeneratorPage />);
  const count = await screen.findByLabelText('Number of lines');
  await waitFor(async () => expect(new Set((await lines()).map((line) => line.replace(/^\d+/, ''))).size).toBe(1));
  expect(count).toHaveAccessibleDescription(/all lines are the same, so one is enough/);
  await userEvent.click(screen.getByRole('radio', { name: 'Sticky' }));
  expect(count).not.toHaveAccessibleDescription(/one is enough/);
  await userEvent.click(screen.getByRole('radio', { name: 'Rotating' }));
  await userEvent.click(screen.getByRole('button', { name: 'Number of lines: 1' }));
  expect(count).not.toHaveAccessibleDescription(/one is enough/);
});

test('an invalid template is reported at its field, and a valid one is applied at once', async () => {
  answerWith(REPLIES);
  renderScreen(<GeneratorPage />);
  await userEvent.selectOptions(await screen.findByLabelText('Format'), 'Your own template');
  const template = screen.getByLabelText('Your template');
  await userEvent.clear(template);
  await userEvent.type(template, '{{hots}');
  await waitFor(() => expect(template).toBeInvalid());
  expect(screen.getByRole('button', { name: 'Copy all' })).toBeDisabled();
  await userEvent.clear(template);
  await userEvent.type(template, '{{host}/{{pass}');
  await waitFor(async () => expect((await lines())[0]).toBe('1gate.example/k3yring99'));
});

test('a proxy user that cannot connect, or not from the chosen country, shows a warning', async () => {
  answerWith(REPLIES);
  renderScreen(<GeneratorPage />, '/?ProxyUserId=2&Country=US');
  expect(await screen.findByText(/scraper_2 cannot connect at the moment/)).toBeVisible();
  expect(screen.getByLabelText('Country')).toBeInvalid();
});

test('an endpoint of the settings is tested; a change of the settings clears the result', async () => {
  const sent = answerWith({
    ...REPLIES,
    'Endpoints/TestEndpoint': { Data: { Works: true, Milliseconds: 1084, ExitIp: '203.0.113.7' } },
  });
  renderScreen(<GeneratorPage />, '/?Country=DE&Sticky=true');
  const button = await screen.findByRole('button', { name: 'Test an endpoint' });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  const result = (await screen.findByText('The proxy works')).parentElement;
  expect(result).toHaveTextContent('Answered in1,084 msExit address203.0.113.7Requested countryGermany');
  expect(sent.find((one) => one.call === 'Endpoints/TestEndpoint')?.body).toMatchObject({
    ProxyUserId: 1,
    Settings: { ServerId: 1, Scheme: 'http', Country: 'DE', Sticky: true },
  });
  await userEvent.click(screen.getByRole('radio', { name: 'SOCKS5' }));
  expect(screen.queryByText('The proxy works')).toBeNull();
  expect(screen.getByRole('button', { name: 'Test an endpoint' })).toBeVisible();
});

test('why a test failed is said in words', async () => {
  const why = { Problem: 'badStatus', Status: 403, Reason: 'paused' };
  answerWith({ ...REPLIES, 'Endpoints/TestEndpoint': { Data: { Works: false, Milliseconds: 9, ...why } } });
  renderScreen(<GeneratorPage />, '/?ProxyUserId=2');
  const button = await screen.findByRole('button', { name: 'Test an endpoint' });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  expect(await screen.findByText('The proxy user is paused.')).toBeVisible();
  expect(screen.queryByText('Requested country')).toBeNull();
});

test('settings that the server refuses to test are reported until they change', async () => {
  const Fields = { ServerId: [{ Rule: 'unknownServer', Params: {} }] };
  answerWith({ ...REPLIES, 'Endpoints/TestEndpoint': { Code: 2001, Message: 'x', Data: { Fields } } });
  renderScreen(<GeneratorPage />);
  const button = await screen.findByRole('button', { name: 'Test an endpoint' });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('Choose one of the servers');
  await userEvent.click(screen.getByRole('radio', { name: 'Sticky' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a preset restores its settings', async () => {
  answerWith(REPLIES);
  renderScreen(<GeneratorPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Presets' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Use “Germany”' }));
  await waitFor(async () => expect(await lines()).toHaveLength(3));
  expect((await lines())[0]).toMatch(/country-de/);
});

test('a list URL is shown once, and revoking asks for confirmation', async () => {
  const sent = answerWith({
    ...REPLIES,
    'Endpoints/GetUrlList': {
      Data: [
        {
          UrlId: 9,
          Name: 'Old crawler',
          ProxyUserId: 1,
          ProxyUserName: 'scraper_1',
          Settings: endpointSettings(),
          CreatedAt: '2026-11-01 00:00:00',
          Uses: 0,
        },
      ],
    },
    'Endpoints/CreateUrl': { Data: { UrlId: 10, Url: 'https://shop.example/lists/s3cret' } },
    'Endpoints/RevokeUrl': { Data: {} },
  });
  renderScreen(<GeneratorPage />);
  const create = await screen.findByRole('button', { name: 'Create list URL' });
  await waitFor(() => expect(create).toBeEnabled());
  await userEvent.click(create);
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText('Name'), 'Crawler');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('https://shop.example/lists/s3cret')).toBeVisible();
  expect(sent.find((one) => one.call === 'Endpoints/CreateUrl')?.body).toMatchObject({
    Name: 'Crawler',
    ProxyUserId: 1,
    Settings: { ServerId: 1, Scheme: 'http', Count: 10 },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await userEvent.click(screen.getByRole('button', { name: 'Revoke “Old crawler”' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(sent.find((one) => one.call === 'Endpoints/RevokeUrl')?.body).toEqual({ UrlId: 9 }));
});
