// Manual renewal: period, price, and an order to pay.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CallError, type Schemas } from '@/api/client';
import { renewalQuery, renewNodes } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { refreshUnpaidOrders } from '@/stores/order';
import { useCatalogue } from '@/stores/plan';
import { refreshWallet, useSessionStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { DiscountLines } from '@/ui/order/QuoteLines';
import q from '@/ui/order/quote.module.css';
import { Progress } from '@/ui/Progress';
import { ErrorState } from '@/ui/State';
import { DateText, MoneyText, useNumber } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from '../static.module.css';
import { useTierName } from '../tierTexts';
import { Failures } from './BulkDialog';
import type { ActionProps, BulkSelection } from './bulkSelection';
import local from './nodes.module.css';

export function RenewDialog({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const navigate = useNavigate();
  const catalogue = useCatalogue();
  const call = useCall(renewNodes, { silent: true });
  const [chosenDays, setDays] = useState<number>();
  const problem = call.refusal && ('NewPrice' in call.refusal.data ? t('renew.changed') : call.refusal.message);
  const isPaying = call.sending?.PayFromWallet === true;
  const usual = selection.rows[0]?.PeriodDays;
  const periods = catalogue.data?.Periods ?? [];
  const periodDays =
    chosenDays ?? periods.find((period) => period.PeriodDays === usual)?.PeriodDays ?? periods[0]?.PeriodDays ?? 0;
  const body = { ...selection.body, PeriodDays: periodDays };
  const quote = useQuery({ ...renewalQuery(body), enabled: periodDays > 0 });
  const refused = quote.error instanceof CallError && quote.error.code !== undefined ? quote.error.message : undefined;

  const wallet = useSessionStore((state) => state.wallet);
  const total = quote.data?.Quote.Total;
  const isCovered =
    wallet !== null && total !== undefined && !core().isNegative(core().subtractMoney(wallet.WalletBalance, total));
  const canOrder = Boolean(quote.data?.Quote.Quantity) && !quote.isPlaceholderData && !quote.isError;

  const order = async (isPaid: boolean) => {
    if (!quote.data) return;
    await call.run(
      { ...body, ExpectedTotal: quote.data.Quote.Total, ...(isPaid && { PayFromWallet: true }) },
      ({ Quantity, OrderId }) => {
        if (isPaid) {
          showToast(t('renew.done', { count: Quantity }), 'success');
          refreshWallet();
        } else refreshUnpaidOrders();
        navigate(`/order?OrderId=${OrderId}`);
      },
      (error) => {
        // The balance shown was stale.
        if ('Balance' in error.data) refreshWallet();
        quote.refetch();
      },
    );
  };

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={t('renew.title', { count: selection.count })}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
          <Button
            variant={isCovered ? 'secondary' : 'primary'}
            disabled={!canOrder || (call.isBusy && isPaying)}
            loading={call.isBusy && !isPaying}
            onClick={() => order(false)}
          >
            {t('renew.submit')}
          </Button>
          {isCovered && (
            <Button
              variant="primary"
              disabled={!canOrder || (call.isBusy && !isPaying)}
              loading={call.isBusy && isPaying}
              onClick={() => order(true)}
            >
              {t('renew.fromWallet')}
            </Button>
          )}
        </>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('renew.lead')}</p>
        <SegmentedControl
          label={t('renew.period')}
          value={periodDays}
          onChange={setDays}
          segments={periods.map((period) => ({
            value: period.PeriodDays,
            label: t('days', { count: period.PeriodDays }),
          }))}
        />
        {refused && <Notice tone="bad">{refused}</Notice>}
        {quote.isError && !refused && <ErrorState error={quote.error} onRetry={() => quote.refetch()} />}
        {quote.isPending && <LoadingState rows={4} />}
        {quote.data && !quote.isError && (
          <div className={s.form} aria-busy={quote.isFetching} data-stale={quote.isPlaceholderData || undefined}>
            <RenewSums selection={selection} preview={quote.data} />
          </div>
        )}
        {problem && <Notice tone="bad">{problem}</Notice>}
        {call.isBusy && <Progress label={t('result.working', { count: selection.count })} />}
      </div>
    </Dialog>
  );
}

function RenewSums({ selection, preview }: { selection: BulkSelection; preview: Schemas['RenewalPreview'] }) {
  const { Quote: quote } = preview;
  const { t } = useTranslation(['static_residential_proxies', 'orders']);
  const tierName = useTierName();
  const number = useNumber();
  const wallet = useSessionStore((state) => state.wallet);
  const after = wallet ? core().subtractMoney(wallet.WalletBalance, quote.Total) : undefined;
  const isShort = after !== undefined && core().isNegative(after);
  return (
    <>
      {quote.Quantity === 0 ? (
        <Notice tone="warn">{t('renew.nothing')}</Notice>
      ) : (
        <>
          <dl className={q.sums}>
            {quote.Lines.map((line) => (
              <div key={line.VerStr}>
                <dt>
                  {tierName(line.VerStr)} × {number(line.Quantity)}
                </dt>
                <dd>
                  <MoneyText amount={line.Amount} currency={quote.Currency} />
                </dd>
              </div>
            ))}
            <DiscountLines discounts={quote.Discounts} currency={quote.Currency} />
          </dl>
          <dl className={q.total} aria-live="polite">
            <dt>{t('order.totalFor', { count: quote.Quantity })}</dt>
            <dd>
              <MoneyText amount={quote.Total} currency={quote.Currency} />
            </dd>
          </dl>
          <dl className={s.facts}>
            <div>
              <dt>{t('renew.end')}</dt>
              <dd>
                <DateText value={preview.EarliestExpiresAt} />
                {preview.LatestExpiresAt !== preview.EarliestExpiresAt && (
                  <>
                    {' – '}
                    <DateText value={preview.LatestExpiresAt} />
                  </>
                )}
              </dd>
            </div>
            {wallet && after !== undefined && (
              <div>
                <dt>{isShort ? t('orders:quote.balanceShort') : t('orders:quote.balanceAfter')}</dt>
                <dd data-short={isShort || undefined}>
                  <MoneyText
                    amount={isShort ? core().shortfall(wallet.WalletBalance, quote.Total) : after}
                    currency={wallet.Currency}
                  />
                </dd>
              </div>
            )}
          </dl>
        </>
      )}
      {preview.Failed.length > 0 && (
        <details className={local.more}>
          <summary>{t('result.skipped', { count: preview.Failed.length })}</summary>
          <Failures selection={selection} failed={preview.Failed} />
        </details>
      )}
    </>
  );
}
