// Sample commands contain the proxy's values, correctly escaped.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { snippetsOf } from './snippets';

const endpoint = { Scheme: 'http', Host: '198.18.0.7', Port: 8000, UserName: 'ann', Password: `p'a"s\\s$x@:` };
const TARGET = 'https://shop.example/api/SystemSettings/GetClientIp';
const textOf = (key: string, hasPassword = true, change: Partial<typeof endpoint> = {}) =>
  snippetsOf({ ...endpoint, ...change }, hasPassword, TARGET).find((one) => one.key === key)?.text ?? '';

test('every command contains the proxy and calls the shop', () => {
  for (const { key, text } of snippetsOf(endpoint, true, TARGET)) {
    expect(text, key).toContain('198.18.0.7');
    expect(text, key).toContain('8000');
    expect(text, key).toContain(TARGET);
    expect(text, key).toContain('ann');
  }
});

test('in whitelist mode no command has a user name or a password', () => {
  for (const { key, text } of snippetsOf(endpoint, false, TARGET)) {
    expect(text, key).not.toContain('ann');
    expect(text, key).not.toContain('s$x');
  }
  expect(textOf('curl', false)).toBe(`curl -x "http://198.18.0.7:8000" "${TARGET}"`);
});

test('a shell passes the password unchanged', () => {
  const echoed = execFileSync('sh', ['-c', textOf('curl').replace('curl', 'printf "%s\\n"')], { encoding: 'utf8' });
  const url = new URL(echoed.split('\n')[1] ?? '');
  expect(decodeURIComponent(url.password)).toBe(endpoint.Password);
});

test('the command is the same for a POSIX shell and for Windows, which knows double quotes only', () => {
  expect(textOf('curl')).toMatch(/^curl -x "[^'"`$\\!\s]+" "[^'"`$\\!\s]+"$/);
});

test('quotes in a password do not end a string in Java, C# or PHP', () => {
  expect(textOf('java')).toContain(JSON.stringify(endpoint.Password));
  expect(textOf('csharp')).toContain(JSON.stringify(endpoint.Password));
  expect(textOf('php')).toContain(`'p\\'a"s\\\\s$x@:'`);
});

test('SOCKS5 uses its own libraries', () => {
  const socks = { Scheme: 'socks5', Port: 9000 };
  expect(textOf('python', true, socks)).toContain('requests[socks]');
  expect(textOf('node', true, socks)).toContain('SocksProxyAgent');
  expect(textOf('java', true, socks)).toContain('Proxy.Type.SOCKS');
  expect(textOf('curl', true, { ...socks, Host: '2001:db8::1' })).toContain('@[2001:db8::1]:9000');
});
