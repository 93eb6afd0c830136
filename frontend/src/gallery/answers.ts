// Fake server for the gallery: unknown calls are refused.
import { API_BASE } from '@/core/constants.gen';
import { COUPON } from './examples';

const REFUSED = 1;

const ANSWERS: Record<string, unknown> = {
  'SystemSettings/GetClientIp': { Ip: '8.8.4.4' },
  'Order/CheckCoupon': COUPON,
  'User/UpdateAccountDetails': {},
};

function answer(call: string): Response {
  const data = ANSWERS[call];
  if (data === undefined) return Response.json({ Code: REFUSED, Message: 'This page has no server', Data: {} });
  return Response.json({ Code: 1000, Message: '', Data: data });
}

export function answerCalls(): void {
  const ask = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input instanceof Request ? input.url : input).split(`${API_BASE}/`);
    return call === undefined ? ask(input, init) : answer(call);
  };
}
