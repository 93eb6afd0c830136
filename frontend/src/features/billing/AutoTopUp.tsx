// Automatic top-up: the saved card, its settings, and the state of charges.
import { CreditCard } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { useRefetch } from '@/api/useRefetch';
import { autoTopUpQuery, cardRequestQuery, OF_BALANCE, refetchAutoTopUp, setAutoTopUp } from '@/api/wallet';
import { core } from '@/core';
import { PaymentState } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { refreshWallet } from '@/stores/user';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { ConfirmDialog } from '@/ui/FormDialog';
import { LoadingState } from '@/ui/Loading';
import { Notice, type Tone } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from './billing.module.css';
import { CardRow } from './CardRow';
import { Presets } from './Presets';
import { ShopPending } from './ShopPending';

type AutoTopUpView = Schemas['AutoTopUpView'];

const TONES: Record<string, Tone> = {
  active: 'good',
  charging: 'accent',
  retrying: 'warn',
  limit_reached: 'warn',
  paused: 'bad',
};
/** Polling intervals while a charge is pending, and while one may start at any moment. */
const POLL_CHARGING_MS = 1_500;
const POLL_ACTIVE_MS = 4_000;

export function AutoTopUp({ cardRequestId }: { cardRequestId: string | null }) {
  const { t } = useTranslation('billing');
  const refetch = useRefetch(OF_BALANCE);
  const request = useCardRequest(cardRequestId);
  const topUp = useQuery({
    ...autoTopUpQuery,
    refetchInterval: (query) => {
      const state = query.state.data?.State;
      if (state === 'charging') return POLL_CHARGING_MS;
      return state === 'active' ? POLL_ACTIVE_MS : false;
    },
  });
  const moved = `${topUp.data?.State} ${topUp.data?.ChargedThisMonth}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches the wallet after a charge
  useEffect(() => {
    refreshWallet();
    refetch();
  }, [moved]);
  const data = topUp.data;
  // Not offered if no gateway can save cards.
  if (data && data.Methods.length === 0 && !data.Card) return null;
  return (
    <Card
      title={t('autoTopUp.title')}
      aside={data && <Badge tone={TONES[data.State] ?? 'neutral'}>{t(`autoTopUp.state.${data.State}`)}</Badge>}
    >
      {topUp.isError && !data && <ErrorState error={topUp.error} onRetry={() => topUp.refetch()} />}
      {topUp.isPending && <LoadingState rows={5} />}
      {data && (
        <div className={s.form}>
          <p className={s.soft}>{t('autoTopUp.lead')}</p>
          {request && <RequestNotice request={request} state={data.State} />}
          <StateNotice topUp={data} />
          <CardRow card={data.Card ?? null} methods={data.Methods} />
          {data.Card && <Form topUp={data} card={data.Card} />}
        </div>
      )}
    </Card>
  );
}

/** Result of the card entry from which the customer has just returned. */
function useCardRequest(cardRequestId: string | null): Schemas['PaymentState'] | undefined {
  const queryClient = useQueryClient();
  const request = useQuery({
    ...cardRequestQuery(cardRequestId ?? ''),
    enabled: cardRequestId !== null,
    refetchInterval: (query) => (query.state.data?.CardUrl ? POLL_CHARGING_MS : false),
  });
  const state = request.data?.State;
  useEffect(() => {
    if (!state) return;
    refetchAutoTopUp(queryClient);
  }, [state, queryClient]);
  return state;
}

function RequestNotice({ request, state }: { request: Schemas['PaymentState']; state: Schemas['AutoTopUpState'] }) {
  const { t } = useTranslation('billing');
  if (request === PaymentState.Succeeded) {
    // A success notice would contradict a failed charge.
    if (state === 'retrying' || state === 'paused') return null;
    return (
      <Notice tone="good">{t(state === 'off' ? 'autoTopUp.request.succeeded' : 'autoTopUp.request.replaced')}</Notice>
    );
  }
  const tone = request === PaymentState.Pending ? 'accent' : 'warn';
  return <Notice tone={tone}>{t(`autoTopUp.request.${request}`)}</Notice>;
}

/** Explains every state except on and off. */
function StateNotice({ topUp }: { topUp: AutoTopUpView }) {
  const { t } = useTranslation('billing');
  const { State: state, Settings: settings, Currency: currency } = topUp;
  if (!settings || state === 'off' || state === 'active') return null;
  const reason = topUp.Failure ? t(`autoTopUp.failure.${topUp.Failure}`) : '';
  const time = state === 'retrying' ? topUp.NextTryAt : topUp.MonthEndsAt;
  return (
    <Notice tone={TONES[state] ?? 'neutral'}>
      {t(`autoTopUp.about.${state}`, {
        Reason: reason,
        Time: time,
        Threshold: core().displayMoney(settings.Threshold, currency),
        Amount: core().displayMoney(settings.Amount, currency),
      })}
      {state === 'paused' && <p>{t('autoTopUp.about.pausedHint')}</p>}
    </Notice>
  );
}

interface FormProps {
  topUp: AutoTopUpView;
  card: Schemas['CardView'];
}

function Form({ topUp, card }: FormProps) {
  const { t } = useTranslation(['billing', 'common']);
  const shop = useConfigStore((state) => state.shop);
  const call = useCall(setAutoTopUp);
  const { Currency: currency, Settings: kept, State: state } = topUp;
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState({
    Threshold: kept?.Threshold ?? '',
    Amount: kept?.Amount ?? '',
    MonthlyLimit: kept?.MonthlyLimit ?? '',
  });
  if (!shop) return <ShopPending />;
  const isOn = state !== 'off';
  const isChanged = !kept || Object.entries(typed).some(([name, value]) => kept[name as keyof typeof kept] !== value);
  const shown = (amount: string) => core().displayMoney(amount.trim(), currency);
  const change = (field: keyof typeof typed, value: string) => {
    call.errors.clear(field);
    setTyped({ ...typed, [field]: value });
  };
  const bind = (field: keyof typeof typed) => ({
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    ...call.bind(field, typed[field], (value) => change(field, value)),
  });
  const send = async (IsOn: boolean) => {
    await call.run({ IsOn, ...typed }, (saved) => {
      if (saved.Settings) setTyped(saved.Settings);
      showToast(t(IsOn ? 'autoTopUp.turnedOn' : 'autoTopUp.turnedOff'), 'success');
    });
    setAsking(false);
  };
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (call.errors.passes(core().validateAutoTopUp({ IsOn: true, ...typed }, shop.MinTopUp, shop.MaxTopUp))) {
      setAsking(true);
    } else {
      call.errors.focusFirst(form);
    }
  };
  const submitText = !isOn ? 'turnOn' : state === 'paused' && !isChanged ? 'agreeAgain' : 'save';
  return (
    <form className={s.form} onSubmit={ask} noValidate aria-label={t('autoTopUp.title')}>
      <TextField label={t('autoTopUp.threshold', { Currency: currency })} {...bind('Threshold')} />
      <div className={s.field}>
        <TextField label={t('autoTopUp.amount', { Currency: currency })} {...bind('Amount')} />
        <Presets label={t('autoTopUp.presets')} chosen={typed.Amount} onChoose={(amount) => change('Amount', amount)} />
      </div>
      <TextField
        label={t('autoTopUp.monthlyLimit', { Currency: currency })}
        hint={
          kept
            ? t('autoTopUp.used', { Used: shown(topUp.ChargedThisMonth), Limit: shown(kept.MonthlyLimit) })
            : t('autoTopUp.limitHint')
        }
        {...bind('MonthlyLimit')}
      />
      <div className={s.buttons}>
        <Button type="submit" variant="primary" disabled={isOn && state !== 'paused' && !isChanged}>
          {t(`autoTopUp.${submitText}`)}
        </Button>
        {isOn && (
          <Button disabled={call.isBusy} onClick={() => send(false)}>
            {t('autoTopUp.turnOff')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          call={call}
          title={t('autoTopUp.agreeTitle')}
          action={t('autoTopUp.agreeSubmit')}
          onConfirm={() => send(true)}
          onClose={() => setAsking(false)}
        >
          <div className={s.form}>
            <p className={s.agreement}>
              <CreditCard size={22} aria-hidden="true" />
              <span>
                {t('autoTopUp.agree', {
                  Shop: shop.ShopName,
                  Card: card.Name,
                  Amount: shown(typed.Amount),
                  Threshold: shown(typed.Threshold),
                  Limit: shown(typed.MonthlyLimit),
                })}
              </span>
            </p>
            <p>{t('autoTopUp.agreeNow', { Threshold: shown(typed.Threshold) })}</p>
            <p className={s.soft}>{t('autoTopUp.agreeHint')}</p>
          </div>
        </ConfirmDialog>
      )}
    </form>
  );
}
