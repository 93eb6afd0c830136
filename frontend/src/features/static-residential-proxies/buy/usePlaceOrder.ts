// Placing the order that the form shows: once per request, and what to show when the server refuses it.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { CallError, newIdempotencyKey, post } from '@/api/client';
import type { FieldErrors, Quote, QuoteRequest } from '@/core';
import { type BuyParams, emptyBuyParams, useIpsStore } from '@/stores/ips';
import { useOrderStore } from '@/stores/order';
import { useSessionStore, useUserStore } from '@/stores/user';
import { useFieldErrors } from '@/ui/form';
import { showToast } from '@/ui/toast';
import { HOLD_LIMIT } from './HoldLimit';

/** To pay later, or bought from the wallet at once. */
type How = 'order' | 'buy';

/** What the form currently shows; it may be behind its controls. */
interface Drawn {
  params: BuyParams;
  request: QuoteRequest;
  quote: Quote | undefined;
  /** Whether the quote includes the coupon. */
  isLowered: boolean;
}

const loadWallet = () =>
  useSessionStore
    .getState()
    .loadWallet()
    .catch(() => {});

export function usePlaceOrder({ params, request, quote, isLowered }: Drawn) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { setBuyParams, setBuyInfo } = useIpsStore.getState();
  const errors = useFieldErrors();
  // The total that the server refused, and the new one.
  const [priceChange, setPriceChange] = useState<{ from: string; to: string }>();
  const [shortCity, setShortCity] = useState<string>();
  const [busy, setBusy] = useState<How>();
  // One idempotency key per request body: resending the unchanged form is the same order.
  const [attempt, setAttempt] = useState({ for: '', key: '' });

  /** The quote follows changes of the catalogue's prices and the account's discount. */
  const loadPrices = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['catalogue'] }),
      useUserStore
        .getState()
        .loadInfo()
        .catch(() => {}),
    ]);

  /** Shows why the server refused the order, and reloads what was outdated. */
  const takeRefusal = async (error: CallError) => {
    errors.takeFrom(error);
    // Another tab may have ordered meanwhile.
    queryClient.invalidateQueries({ queryKey: HOLD_LIMIT });
    // A coupon that can no longer be used is removed; its field shows why.
    if ((error.data.Fields as FieldErrors | undefined)?.Coupon) setBuyParams({ coupon: null });
    if (typeof error.data.City === 'string') setShortCity(error.data.City);
    // The stock shown was stale.
    if (typeof error.data.Available === 'number') {
      queryClient.invalidateQueries({ queryKey: ['stock'] });
      queryClient.invalidateQueries({ queryKey: ['purchasable-nodes'] });
    }
    if (typeof error.data.Key === 'string') showToast(error.message, 'warning');
    if (typeof error.data.OldPrice === 'string' && typeof error.data.NewPrice === 'string') {
      setPriceChange({ from: error.data.OldPrice, to: error.data.NewPrice });
      await loadPrices();
    }
    // The balance shown was stale.
    if (typeof error.data.Balance === 'string') loadWallet();
    // After a refusal, the next attempt is a new request.
    setAttempt({ for: '', key: '' });
  };

  const placeDrawn = async (how: How) => {
    if (!quote) return;
    setShortCity(undefined);
    setPriceChange(undefined);
    const body = {
      ...request,
      ExpectedTotal: quote.Total,
      ...(params.isExact && { NodeIds: params.nodes.map((node) => node.NodeId) }),
      ...(isLowered && { Coupon: params.coupon?.Code }),
      ...(how === 'buy' && { PayFromWallet: true }),
    };
    const asked = JSON.stringify(body);
    const key = attempt.for === asked ? attempt.key : newIdempotencyKey();
    setAttempt({ for: asked, key });
    try {
      const order = await post('Order/CreateOrder', body, { idempotencyKey: key });
      setBuyParams({ ...emptyBuyParams });
      setBuyInfo(null);
      if (how === 'buy') queryClient.invalidateQueries();
      useOrderStore
        .getState()
        .loadUnpaidOrders()
        .catch(() => {});
      navigate(`/order?OrderId=${order.OrderId}`);
    } catch (error) {
      if (error instanceof CallError && error.code !== undefined) await takeRefusal(error);
    }
  };

  const isPlacing = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const drawn = useRef({ params, placeDrawn });
  drawn.current = { params, placeDrawn };
  /** Orders what the controls show, even before the rest of the form has followed. */
  const placeOrder = async (how: How) => {
    const isBehind = () => {
      const { quantities, periodDays } = useIpsStore.getState().buyParams;
      return quantities !== drawn.current.params.quantities || periodDays !== drawn.current.params.periodDays;
    };
    // A ref, because a second click may come before the button is re-rendered.
    if (isPlacing.current) return;
    isPlacing.current = true;
    setBusy(how);
    try {
      while (isShown.current && isBehind()) await new Promise(requestAnimationFrame);
      if (isShown.current) await drawn.current.placeDrawn(how);
    } finally {
      isPlacing.current = false;
      setBusy(undefined);
    }
  };

  return { placeOrder, busy, errors, priceChange, shortCity, clearShortCity: () => setShortCity(undefined) };
}
