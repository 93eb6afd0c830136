// What an order is shown with, and the quote before there is one.
import { useState } from 'react';
import type { Coupon, FieldErrors } from '@/core';
import { useFieldErrors } from '@/ui/form';
import { BatchDetail } from '@/ui/order/BatchDetail';
import { CouponField } from '@/ui/order/CouponField';
import { InvoiceButton, ReceiptButton } from '@/ui/order/DocumentButtons';
import { OrderContents } from '@/ui/order/OrderContents';
import { Documents, Payments, Timeline } from '@/ui/order/OrderHistory';
import { OrderNodes, Replacements } from '@/ui/order/OrderNodes';
import { OrderSummary } from '@/ui/order/OrderSummary';
import { DiscountLines } from '@/ui/order/QuoteLines';
import { QuotePanel } from '@/ui/order/QuotePanel';
import { SourceRefunds } from '@/ui/order/SourceRefunds';
import { MoneyText } from '@/ui/texts';
import { BATCH, COUPON, ORDER, SOURCE_REFUNDS } from './examples';
import g from './gallery.module.css';
import { Specimen } from './Part';

const END = '2026-12-20 09:30:00';
const nothing = () => {};

export function Orders() {
  return (
    <>
      <Specimen label="OrderSummary">
        <div>
          <OrderSummary order={ORDER} end={END} />
        </div>
      </Specimen>
      <Specimen label="DiscountLines">
        <dl>
          <DiscountLines discounts={ORDER.Discounts} currency="USD" />
        </dl>
      </Specimen>
      <Specimen label="Timeline">
        <Timeline order={ORDER} end={END} />
      </Specimen>
      <Specimen label="OrderContents">
        <OrderContents order={ORDER} />
      </Specimen>
      <Specimen label="OrderNodes" wide>
        <OrderNodes order={ORDER} />
      </Specimen>
      <Specimen label="Replacements">
        <Replacements order={ORDER} />
      </Specimen>
      <Specimen label="Payments, Documents" wide>
        <Payments order={ORDER} />
        <Documents order={ORDER} />
      </Specimen>
      <Specimen label="SourceRefunds: for the customer, for operators" wide>
        <SourceRefunds order={{ ...ORDER, Refunds: SOURCE_REFUNDS }} isOwn />
        <SourceRefunds order={{ ...ORDER, Refunds: SOURCE_REFUNDS }} />
      </Specimen>
      <Specimen label="InvoiceButton, with a border; ReceiptButton">
        <InvoiceButton number="INV-1" bordered />
        <ReceiptButton number="RC-1" transactionId={1} />
      </Specimen>
      <Specimen label="BatchDetail: in use, expires soon, ended">
        <BatchDetail batch={BATCH} />
        <BatchDetail batch={{ ...BATCH, EndsSoon: true }} />
        <BatchDetail batch={{ ...BATCH, IsOver: true }} />
      </Specimen>
      <Coupons />
      <Specimen label="QuotePanel: nothing chosen">
        <Quote />
      </Specimen>
      <Specimen label="QuotePanel: enough in the wallet">
        <Quote balance="100.00" />
      </Specimen>
      <Specimen label="QuotePanel: too little in the wallet, with an error and a change">
        <Quote balance="5.00" error="Sold out in Tokyo" change="The price has changed" />
      </Specimen>
    </>
  );
}

function Coupons() {
  const errors = useFieldErrors();
  const [coupon, setCoupon] = useState<Coupon | null>(null);
  const misfit: FieldErrors = { Coupon: [{ Rule: 'couponMinimum', Params: { Min: '$50.00' } }] };
  return (
    <Specimen label="CouponField: any code is taken; one that fits; one that does not">
      <CouponField coupon={coupon} isQuoted errors={errors} quoteErrors={{}} onChange={setCoupon} />
      <CouponField coupon={COUPON} isQuoted errors={errors} quoteErrors={{}} onChange={nothing} />
      <CouponField coupon={COUPON} isQuoted errors={errors} quoteErrors={misfit} onChange={nothing} />
    </Specimen>
  );
}

interface QuoteProps {
  /** Without it, nothing is selected. */
  balance?: string;
  error?: string;
  change?: string;
}

function Quote({ balance, error, change }: QuoteProps) {
  return (
    <div className={g.window}>
      <QuotePanel
        currency="USD"
        quote={balance ? ORDER : undefined}
        wallet={{ WalletBalance: balance ?? '100.00', Currency: 'USD' }}
        lines={
          <div>
            <dt>Tokyo × 3</dt>
            <dd>
              <MoneyText amount="15.00" currency="USD" />
            </dd>
          </div>
        }
        total="Total for 3 IPs"
        nothing="Choose a city to see a price"
        error={error}
        change={change}
        busy={undefined}
        hints={{ buy: 'Paid at once', order: 'Held for 15 minutes' }}
        coupon={null}
        onOrder={nothing}
        onBuy={nothing}
      />
    </div>
  );
}
