// The public pages with the seller's terms and privacy policy.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { PrivacyPage, TermsPage } from './LegalPage';

const TEXT = 'SystemSettings/GetLegalText';
const CONFIG = 'SystemSettings/GetPublicConfig';
const SHOP = { ShopName: 'Postern', DemoShop: false, NeedsOperator: false, LegalTexts: [], TermsUrl: null };
const REFS = [
  { LegalTextId: 4, Kind: 'terms', Version: 3, PublishedAt: '2026-11-28 10:00:00' },
  { LegalTextId: 7, Kind: 'privacy', Version: 1, PublishedAt: '2026-11-27 10:00:00' },
];
const TERMS = { ...REFS[0], BodyEn: '# Payment\n\nYou pay first.', BodyZh: '# 付款\n\n先付款。' };

test('the text is rendered in the language of the screen, with its version and day', async () => {
  const sent = answerWith({ [TEXT]: { Data: TERMS }, [CONFIG]: { Data: { ...SHOP, LegalTexts: REFS } } });
  renderScreen(<TermsPage />);
  expect(await screen.findByRole('heading', { level: 2, name: 'Payment' })).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Terms of service' })).toBeVisible();
  expect(screen.getByText('Version 3, published on 2026-11-28')).toBeVisible();
  expect(document.title).toBe('Terms of service');
  expect(sent.find(({ call }) => call === TEXT)?.body).toEqual({ Kind: 'terms' });
  // The other text, and the way back.
  expect(await screen.findByRole('link', { name: 'Privacy policy' })).toHaveAttribute('href', '/privacy');
  expect(screen.queryByRole('link', { name: 'Terms of service' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to the shop' })).toHaveAttribute('href', '/');
  await userEvent.click(screen.getByRole('button', { name: '中文' }));
  expect(await screen.findByText('先付款。')).toBeVisible();
  expect(screen.queryByText('You pay first.')).toBeNull();
});

test('a shop without the text says so', async () => {
  answerWith({ [TEXT]: { Code: 3004, Message: 'Not found' }, [CONFIG]: { Data: SHOP } });
  renderScreen(<PrivacyPage />);
  expect(await screen.findByText('This shop has not published a privacy policy')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('terms that the seller keeps elsewhere are linked', async () => {
  const TermsUrl = 'https://seller.example/terms';
  answerWith({ [TEXT]: { Code: 3004, Message: 'Not found' }, [CONFIG]: { Data: { ...SHOP, TermsUrl } } });
  renderScreen(<TermsPage />);
  expect(await screen.findByRole('link', { name: 'Read the terms of service' })).toHaveAttribute('href', TermsUrl);
});

test('a failed load can be tried again', async () => {
  let isDown = true;
  answerWith({
    [TEXT]: () => (isDown ? { status: 503, Code: 5000, Message: 'Down' } : { Data: TERMS }),
    [CONFIG]: { Data: SHOP },
  });
  renderScreen(<TermsPage />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByText('You pay first.')).toBeVisible();
});
