// Moves available commissions to the wallet.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { useSessionStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './referrals.module.css';

export function MoveDialog({ referrals, onClose }: { referrals: Schemas['Referrals']; onClose: () => void }) {
  const { t } = useTranslation('referrals');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const [refusal, setRefusal] = useState<string>();
  const { Currency: currency, Available, Owed, Movable } = referrals;
  const shown = (amount: string) => core().displayMoney(amount, currency);
  const move = async () => {
    setRefusal(undefined);
    try {
      const moved = await once.send({}, (options) => post('Referrals/MoveToWallet', {}, options));
      showToast(t('move.done', { Amount: shown(moved.Amount) }), 'success');
      onClose();
    } catch (error) {
      // The figures are stale, for example because another window has moved the amount: refetch them.
      if (error instanceof CallError && error.data.Key) setRefusal(error.message);
    } finally {
      queryClient.invalidateQueries({ queryKey: ['referrals'] });
      queryClient.invalidateQueries({ queryKey: ['commissions'] });
      useSessionStore
        .getState()
        .loadWallet()
        .catch(() => {});
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('move.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('move.cancel')}</Button>
          <Button variant="primary" loading={once.isBusy} onClick={move}>
            {t('move.submit', { Amount: shown(Movable) })}
          </Button>
        </>
      }
    >
      <div className={s.move}>
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        <dl>
          <dt>{t('move.available')}</dt>
          <dd>
            <MoneyText amount={Available} currency={currency} />
          </dd>
          {Owed !== '0.00' && (
            <>
              <dt>{t('move.owed')}</dt>
              <dd>
                <MoneyText amount={`-${Owed}`} currency={currency} />
              </dd>
            </>
          )}
          <dt>{t('move.amount')}</dt>
          <dd>
            <strong>
              <MoneyText amount={Movable} currency={currency} />
            </strong>
          </dd>
        </dl>
        <p>{t('move.hint')}</p>
      </div>
    </Dialog>
  );
}
