// The status of proxy servers: states, days, percentages, keyboard and pointer, and when there is nothing to show.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { StatusPage } from './StatusPage';
import { levelOf, outageText, uptimeOf } from './uptime';

const CALL = 'Endpoints/GetServerStatusList';
const DAY = 86_400;

/** Days up to 27 November, with these seconds of outages on the last ones; `null` is a day without data. */
const daysWith = (...last: (number | null)[]) =>
  Array.from({ length: 30 }, (_, index) => {
    const down = last[index - 30 + last.length] ?? (index < 30 - last.length ? 0 : null);
    return {
      Day: new Date(Date.UTC(2026, 10, 27 - 29 + index)).toISOString().slice(0, 10),
      KnownSeconds: down === null ? 0 : DAY,
      DownSeconds: down ?? 0,
    };
  });
const unknownDays = () => daysWith(...Array<null>(30).fill(null));
const server = (change: object = {}) => ({
  Name: 'Europe',
  Kind: 'residential',
  State: 'operational',
  Days: daysWith(0),
  ...change,
});
const shows = async (...servers: object[]) => {
  answerWith({ [CALL]: { Data: servers } });
  renderScreen(<StatusPage />);
  await screen.findByRole('list', { name: 'Proxy servers' });
};

test('a failed load shows an error that can be retried', async () => {
  const replies: Parameters<typeof answerWith>[0] = { [CALL]: { Code: 5000, Message: 'Busy' } };
  answerWith(replies);
  renderScreen(<StatusPage />);
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent('Busy');
  replies[CALL] = { Data: [server()] };
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Europe' })).toBeVisible();
});

test('a shop without servers says so', async () => {
  answerWith({ [CALL]: { Data: [] } });
  renderScreen(<StatusPage />);
  expect(await screen.findByText('No proxy servers yet')).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
});

test('a server whose connections fail is not among those that work', async () => {
  await shows(server({ State: 'degraded' }), server({ Name: 'ISP' }));
  expect(screen.getByText('1 proxy server works, but many of its connections fail')).toBeVisible();
  expect(screen.queryByText('All proxy servers work')).toBeNull();
});

test('a server that is down is counted, with the beginning of its outage', async () => {
  await shows(
    server({ State: 'down', DownSince: '2026-11-27 10:00:00' }),
    server({ Name: 'ISP', Kind: 'static' }),
    server({ Name: 'New', State: 'unknown', Days: unknownDays() }),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('1 proxy server is down');
  const [down, works, unknown] = within(screen.getByRole('list', { name: 'Proxy servers' }))
    .getAllByRole('heading')
    .map((heading) => within(heading.closest('section') as HTMLElement));
  expect(down?.getByText('Down')).toBeVisible();
  expect(down?.getByText(/^Down since/)).toHaveTextContent(/^Down since 2026-11-27 \d\d:00:00$/);
  expect(works?.getByText('Operational')).toBeVisible();
  expect(works?.getByText('Static residential')).toBeVisible();
  expect(works?.getByText('Uptime: 100%')).toBeVisible();
  expect(unknown?.getByText('No data yet')).toBeVisible();
  expect(unknown?.getByText('Uptime: –')).toBeVisible();
});

test.each([
  [['operational', 'operational'], 'All proxy servers work'],
  [['operational', 'unknown'], 'All proxy servers that have reported their state work'],
  [['unknown', 'unknown'], 'No proxy server has reported its state yet'],
  [['down', 'down'], '2 proxy servers are down'],
])('servers that are %s: "%s"', async (states, sentence) => {
  await shows(...states.map((State, index) => server({ Name: `Server ${index}`, State })));
  expect(screen.getByText(sentence)).toBeVisible();
});

test('the days are read one by one by keyboard', async () => {
  await shows(server({ Days: daysWith(11_520, 30, null, 0) }));
  const days = screen.getByRole('slider', { name: 'Europe, day by day' });
  expect(screen.getByText('Last 30 days')).toBeVisible();
  await userEvent.tab();
  expect(days).toHaveFocus();
  const says = (text: string) => {
    expect(days).toHaveAttribute('aria-valuetext', text);
    expect(screen.getAllByText(text)[0]).toBeVisible();
  };
  says('Nov 27: No outage');
  await userEvent.keyboard('{ArrowLeft}');
  says('Nov 26: No data');
  await userEvent.keyboard('{ArrowLeft}');
  says('Nov 25: Down for less than a minute');
  await userEvent.keyboard('{ArrowLeft}');
  says('Nov 24: Down for 3 hours and 12 minutes');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  says('Oct 29: No outage');
  await userEvent.keyboard('{End}{ArrowRight}');
  says('Nov 27: No outage');
  await userEvent.tab();
  expect(screen.getByText('Last 30 days')).toBeVisible();
});

test('a pointed or tapped day is shown, and a tapped one stays', async () => {
  await shows(server({ Days: daysWith(600, 0) }));
  const days = screen.getByRole('slider');
  vi.spyOn(days, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 300 } as DOMRect);
  const shown = () => days.nextElementSibling?.firstElementChild?.textContent;
  fireEvent.pointerMove(days, { clientX: 285, pointerType: 'mouse' });
  expect(shown()).toBe('Nov 26: Down for 10 minutes');
  fireEvent.pointerLeave(days, { pointerType: 'mouse' });
  expect(shown()).toBe('Last 30 days');
  fireEvent.pointerDown(days, { clientX: 299, pointerType: 'touch' });
  fireEvent.pointerLeave(days, { pointerType: 'touch' });
  expect(shown()).toBe('Nov 27: No outage');
});

test('all days are a list for screen readers, in both languages', async () => {
  await shows(server({ Days: daysWith(60) }));
  const texts = () =>
    within(screen.getByRole('list', { name: /Europe/ }))
      .getAllByRole('listitem')
      .map((day) => day.textContent);
  expect(texts()).toHaveLength(30);
  expect(texts().at(-1)).toBe('Nov 27: Down for 1 minute');
  await i18next.changeLanguage('zh');
  await waitFor(() => expect(texts().at(-1)).toBe('11月27日：中断 1 分钟'));
});

test('an uptime is rounded down, so that it is 100% only without any outage', () => {
  expect(uptimeOf(daysWith(0))).toBe(1);
  expect(uptimeOf(daysWith(1))).toBe(0.9999);
  expect(uptimeOf(daysWith(DAY, DAY, DAY))).toBe(0.9);
  expect(uptimeOf(unknownDays())).toBeUndefined();
});

test('an outage is long from a twentieth of the known time on', () => {
  const level = (KnownSeconds: number, DownSeconds: number) =>
    levelOf({ Day: '2026-11-27', KnownSeconds, DownSeconds });
  expect([level(0, 0), level(DAY, 0), level(DAY, 4_319), level(DAY, 4_320), level(60, 60)]).toEqual([
    'unknown',
    'good',
    'short',
    'long',
    'long',
  ]);
});

test('an outage is named in hours and minutes', () => {
  expect([59, 60, 3_600, 5_430, DAY].map((seconds) => outageText(seconds, 'en'))).toEqual([
    undefined,
    '1 minute',
    '1 hour',
    '1 hour and 30 minutes',
    '1 day',
  ]);
});
