// Choosing cities: by region, from popular ones, by stock, and from a pasted list.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import type { Quantities } from '@/stores/ips';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { PlacesPicker } from './PlacesPicker';

const city = (City: string, NameEn: string, NameZh: string, Stock: number, Popularity?: number) => ({
  City,
  NameEn,
  NameZh,
  Stock,
  ...(Popularity && { Popularity }),
});
const STOCK = [
  {
    Country: 'FR',
    Code3: 'FRA',
    Numeric: 250,
    NameEn: 'France',
    NameZh: '法国',
    Region: 'europe',
    Cities: [city('paris', 'Paris', '巴黎', 2, 2)],
  },
  {
    Country: 'JP',
    Code3: 'JPN',
    Numeric: 392,
    NameEn: 'Japan',
    NameZh: '日本',
    Region: 'asia',
    Cities: [city('osaka', 'Osaka', '大阪', 0, 1), city('tokyo', 'Tokyo', '东京', 9)],
  },
  {
    Country: 'US',
    Code3: 'USA',
    Numeric: 840,
    NameEn: 'United States',
    NameZh: '美国',
    Region: 'north_america',
    Cities: [city('new-york', 'New York', '纽约', 40)],
  },
];

function Picker({ onChange }: { onChange?: (quantities: Quantities) => void }) {
  const [quantities, setQuantities] = useState<Quantities>({});
  const latest = useRef(quantities);
  return (
    <PlacesPicker
      verStr="plan"
      target=""
      quantities={quantities}
      wanted={0}
      shortCity={undefined}
      onChange={(change) => {
        latest.current = change(latest.current);
        setQuantities(latest.current);
        onChange?.(latest.current);
      }}
    >
      {null}
    </PlacesPicker>
  );
}

const open = async () => {
  answerWith({ 'Ips/GetCountryList': { Data: STOCK } });
  let chosen: Quantities = {};
  renderScreen(
    <Picker
      onChange={(next) => {
        chosen = next;
      }}
    />,
  );
  await screen.findByRole('region', { name: 'North America' });
  return () => chosen;
};

const regions = () =>
  screen
    .getAllByRole('button')
    .filter((button) => button.hasAttribute('aria-expanded'))
    .map((button) => `${button.textContent} ${button.getAttribute('aria-expanded')}`);

beforeEach(() => onPhone());

test('on a phone no region is expanded before a city is chosen, and a search finds cities in the collapsed ones', async () => {
  await open();
  expect(regions()).toEqual([
    'North America1 city · 40 in stock false',
    'Europe1 city · 2 in stock false',
    'Asia2 cities · 9 in stock false',
  ]);
  expect(screen.queryByRole('textbox', { name: 'Tokyo' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Asia/ }));
  expect(screen.getByRole('textbox', { name: 'Tokyo' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /^Asia/ }));
  await userEvent.type(screen.getByRole('searchbox'), '东京');
  expect(screen.getByRole('textbox', { name: 'Tokyo' })).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'New York' })).toBeNull();
});

test('a popular city adds one IP per click, and selected cities come first and can be removed', async () => {
  const chosen = await open();
  const popular = screen.getByRole('region', { name: 'Popular' });
  // Sold-out cities are not offered.
  expect(within(popular).getAllByRole('button')).toHaveLength(1);
  const paris = within(popular).getByRole('button', { name: 'Add one IP in Paris' });
  await userEvent.click(paris);
  await userEvent.click(paris);
  expect(chosen()).toEqual({ paris: { country: 'FR', quantity: 2 } });
  expect(paris).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Remove Paris × 2' }));
  expect(chosen()).toEqual({});
});

test('countries and cities follow the chosen sort order', async () => {
  await open();
  for (const region of [/^North America/, /^Asia/]) await userEvent.click(screen.getByRole('button', { name: region }));
  const cities = () => screen.getAllByRole('textbox').map((box) => box.getAttribute('aria-label'));
  expect(cities()).toEqual(['New York', 'Osaka', 'Tokyo']);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Most in stock');
  expect(cities()).toEqual(['New York', 'Tokyo', 'Osaka']);
});

test('a pasted list is parsed in both languages, limited to the stock, and unknown entries are reported', async () => {
  const chosen = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Paste a list' }));
  const dialog = await screen.findByRole('dialog');
  const choose = within(dialog).getByRole('button', { name: 'Choose' });
  expect(choose).toBeDisabled();
  await userEvent.click(within(dialog).getByRole('textbox', { name: 'Cities and quantities' }));
  await userEvent.paste('Tokyo 3，巴黎 5; Osaka 1, Atlantis 2');
  expect(await within(dialog).findByText('Tokyo × 3')).toBeVisible();
  expect(within(dialog).getByText('only 2 left of 5')).toBeVisible();
  expect(within(dialog).getByText('Sold out: Osaka')).toBeVisible();
  expect(within(dialog).getByText('Not recognized: Atlantis 2')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Choose 5 IPs' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(chosen()).toEqual({
    tokyo: { country: 'JP', quantity: 3 },
    paris: { country: 'FR', quantity: 2 },
  });
});
