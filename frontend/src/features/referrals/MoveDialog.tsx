// Moves available commissions to the wallet.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { moveToWallet } from '@/api/referrals';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { refreshWallet } from '@/stores/user';
import { ConfirmDialog } from '@/ui/FormDialog';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './referrals.module.css';

export function MoveDialog({ referrals, onClose }: { referrals: Schemas['Referrals']; onClose: () => void }) {
  const { t } = useTranslation('referrals');
  const call = useCall(moveToWallet);
  const { Currency: currency, Available, Owed, Movable } = referrals;
  const shown = (amount: string) => core().displayMoney(amount, currency);
  const move = async () => {
    await call.run({}, (moved) => {
      showToast(t('move.done', { Amount: shown(moved.Amount) }), 'success');
      onClose();
    });
    refreshWallet();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('move.title')}
      action={t('move.submit', { Amount: shown(Movable) })}
      cancel={t('move.cancel')}
      onConfirm={move}
      onClose={onClose}
    >
      <div className={s.move}>
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
    </ConfirmDialog>
  );
}
