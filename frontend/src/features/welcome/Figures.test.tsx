// Figures show a dash until their values are known.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useOrderStore } from '@/stores/order';
import { useSessionStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { Figures } from './Figures';

const NOTHING_UNPAID = 'Everything is paid';
const NO_RENEWAL = 'No automatic renewal is due';

beforeEach(() => {
  useOrderStore.setState({ unpaidOrders: [], askedAt: 0 });
  useSessionStore.setState({ planInfo: null });
});

test('a failed request is not shown as zero', async () => {
  answerWith({});
  renderScreen(<Figures overview={undefined} isFailed />);
  expect(await screen.findByRole('link', { name: /^Unpaid orders/ })).toHaveTextContent('–');
  expect(screen.queryByText(NOTHING_UNPAID)).toBeNull();
  expect(screen.queryByText(NO_RENEWAL)).toBeNull();
});

test('zero is shown once it is known', async () => {
  answerWith({ 'Ips/userGetUserVerPlan': { Data: [] } });
  useOrderStore.setState({ askedAt: Date.now() });
  renderScreen(<Figures overview={undefined} isFailed={false} />);
  expect(await screen.findByText(NO_RENEWAL)).toBeVisible();
  expect(screen.getByText(NOTHING_UNPAID)).toBeVisible();
  expect(screen.getByRole('link', { name: /^Unpaid orders/ })).toHaveTextContent('0');
});
