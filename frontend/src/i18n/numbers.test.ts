// Number formatting in texts.
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { countsAsNumbers } from './numbers';

test.each(['en', 'zh'])('numbers have separators, and other values stay unchanged: %s', async (language) => {
  await i18next.changeLanguage(language);
  expect(i18next.t('static_residential_proxies:order.inStock', { count: 3250 })).toContain('3,250');
  expect(i18next.t('webhooks:deliveries.ms', { Ms: 10003 })).toContain('10,003');
  expect(i18next.t('accounts:one', { AccountId: '3250' })).toContain('3250');
});

test('counts in rule parameters get separators; typed values and amounts of money stay unchanged', () => {
  expect(countsAsNumbers({ Max: '10000', Value: '10000', Position: '4' })).toEqual({
    Max: 10_000,
    Value: '10000',
    Position: '4',
  });
  expect(countsAsNumbers({ Min: '$5.00' })).toEqual({ Min: '$5.00' });
  expect(i18next.t('validation:tooManyIps', countsAsNumbers({ Max: '10000' }))).toContain('10,000');
});
