// Placing the order that the form shows: once per request, and what to show when the server refuses it.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CallError, Schemas } from '@/api/client';
import { createOrder } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import type { FieldErrors } from '@/core';
import { type BuyParams, emptyBuyParams, useIpsStore } from '@/stores/ips';
import { refreshUnpaidOrders } from '@/stores/order';
import { refreshInfo, refreshWallet, useResellerDiscount } from '@/stores/user';
import { showToast } from '@/ui/toast';
import { quoteOf } from './useQuote';

/** `draft` returns the draft order as the controls show it now, which the rest of the form may be behind. */
export function usePlaceOrder(draft: () => BuyParams, catalogue: Schemas['Catalogue']) {
  const navigate = useNavigate();
  const { setBuyParams, setBuyInfo } = useIpsStore.getState();
  const call = useCall(createOrder);
  const { errors } = call;
  // The total that the server refused, and the new one.
  const [priceChange, setPriceChange] = useState<{ from: string; to: string }>();
  const [shortCity, setShortCity] = useState<string>();
  const discount = useResellerDiscount();

  /** Shows why the server refused the order, and reloads what was outdated. */
  const takeRefusal = (error: CallError) => {
    // A coupon that can no longer be used is removed; its field shows why.
    if ((error.data.Fields as FieldErrors | undefined)?.Coupon) setBuyParams({ coupon: null });
    if (typeof error.data.City === 'string') setShortCity(error.data.City);
    if (typeof error.data.Key === 'string') showToast(error.message, 'warning');
    if (typeof error.data.OldPrice === 'string' && typeof error.data.NewPrice === 'string') {
      setPriceChange({ from: error.data.OldPrice, to: error.data.NewPrice });
      // The quote follows changes of the account's discount.
      refreshInfo();
    }
    // The balance shown was stale.
    if (typeof error.data.Balance === 'string') refreshWallet();
  };

  /** To pay later, or bought from the wallet at once. */
  const placeOrder = (how: 'order' | 'buy') => {
    const params = draft();
    const { request, quote, couponErrors } = quoteOf(params, catalogue, discount);
    if (!quote) return;
    setShortCity(undefined);
    setPriceChange(undefined);
    const body = {
      ...request,
      ExpectedTotal: quote.Total,
      ...(params.isExact && { NodeIds: params.nodes.map((node) => node.NodeId) }),
      ...(params.coupon && Object.keys(couponErrors).length === 0 && { Coupon: params.coupon.Code }),
      ...(how === 'buy' && { PayFromWallet: true }),
      ...(params.groupId !== null && { GroupId: params.groupId }),
      ...(params.autoRenew !== null && { AutoRenew: params.autoRenew }),
    };
    const onDone = ({ OrderId }: { OrderId: number }) => {
      setBuyParams({ ...emptyBuyParams });
      setBuyInfo(null);
      refreshUnpaidOrders();
      navigate(`/order?OrderId=${OrderId}`);
    };
    call.run(body, onDone, takeRefusal);
  };

  const busy: 'order' | 'buy' | undefined = call.sending && (call.sending.PayFromWallet ? 'buy' : 'order');
  return { placeOrder, busy, errors, priceChange, shortCity, clearShortCity: () => setShortCity(undefined) };
}
