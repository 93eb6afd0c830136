// A program with an API key and curl: buys an IP, and is refused outside its scope, addresses and validity.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTurn, LANGUAGES } from './languages';
import { type Language, Shop, texts } from './shop';

const EMAIL = 'customer@example.com';
const ORDER = {
  VerStr: 'shared ISP proxies plan',
  PeriodDays: 30,
  Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }],
  ExpectedTotal: '5.00',
  PayFromWallet: true,
};
const ACCEPT = { en: 'en', zh: 'zh-CN' };

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());

interface Said {
  status: number;
  headers: string;
  Code: number;
  Message: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses differ by call
  Data: any;
}

function curl(language: Language, call: string, body: object, token = '', more: string[] = []): Said {
  const headers = ['Content-Type: application/json', `Accept-Language: ${ACCEPT[language]}`];
  if (token) headers.push(`Token: ${token}`);
  const asked = [...headers.flatMap((header) => ['-H', header]), ...more, '-d', JSON.stringify(body)];
  const said = execFileSync('curl', ['-sS', '-i', `${shop.url}/api/${call}`, ...asked], { encoding: 'utf8' });
  const [head = '', text = ''] = said.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: head.toLowerCase(), ...JSON.parse(text) };
}

test.each(inTurn(LANGUAGES))('%s: a key buys an IP once, and nothing else', (language) => {
  const password = shop.passwordOf(EMAIL);
  const { Token: session } = curl(language, 'User/Login', { Email: EMAIL, Password: password }).Data;
  const key = (form: object) => curl(language, 'ApiKeys/AddApiKey', { Name: 'curl', ...form }, session).Data;
  const expires = new Date(Date.now() + 3_600_000 * (language === 'en' ? 1 : 6));
  const { Secret, ApiKey } = key({
    Scopes: ['billing:write', 'proxies:read'],
    ExpiresAt: expires.toISOString().slice(0, 19).replace('T', ' '),
  });
  const owned = (): number => curl(language, 'Ips/GetUserNodeList', { PageSize: 1 }, Secret).Data.Total;
  const before = owned();
  const once = ['-H', `Idempotency-Key: curl-${language}`];
  const bought = curl(language, 'Order/CreateOrder', ORDER, Secret, once);
  expect([bought.status, bought.Code, bought.Data.State]).toEqual([200, 1000, 'fulfilled']);
  expect(curl(language, 'Order/CreateOrder', ORDER, Secret, once).Data).toEqual(bought.Data);
  expect(owned()).toBe(before + 1);
  expect(bought.headers).toMatch(/ratelimit-policy: "key";q=600;w=60/);
  expect(bought.headers).toMatch(/ratelimit: "key";r=\d+;t=\d+/);

  // Outside its scope.
  const refused = curl(
    language,
    'Ips/SetAutoRenew',
    { All: true, AutoRenew: true },
    key({ Scopes: ['proxies:read'] }).Secret,
  );
  expect([refused.Code, refused.Message]).toEqual([
    3003,
    texts(language, 'errors')('keyNeedsScope', { Needed: 'billing:write' }),
  ]);
  expect(refused.Data).toEqual({ Needed: 'billing:write' });
  expect(curl(language, 'ApiKeys/RevokeApiKey', { ApiKeyId: ApiKey.ApiKeyId }, Secret).Data).toEqual({
    Needed: 'person',
  });
  // From another address.
  const elsewhere = key({ Scopes: ['billing:write'], Addresses: ['192.0.2.0/24'] });
  expect(curl(language, 'Order/CreateOrder', ORDER, elsewhere.Secret).Data).toEqual({ Address: '127.0.0.1' });
  // After its expiry, and after it was revoked.
  const revoked = key({ Scopes: ['proxies:read'] });
  expect(curl(language, 'ApiKeys/RevokeApiKey', { ApiKeyId: revoked.ApiKey.ApiKeyId }, session).Code).toBe(1000);
  expect(curl(language, 'Ips/GetUserNodeList', {}, revoked.Secret).status).toBe(401);
  shop.passHours(2);
  if (language === 'zh') shop.passHours(4);
  expect(curl(language, 'Order/CreateOrder', ORDER, Secret).status).toBe(401);
});
