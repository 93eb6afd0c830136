// The card charged by automatic top-ups: add, replace or remove it.
import { CreditCard } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { forgetCard, rememberCard } from '@/api/wallet';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { useRedirect } from '@/ui/useRedirect';
import s from './billing.module.css';

interface CardRowProps {
  card: Schemas['CardView'] | null;
  /** Gateways that can save cards. */
  methods: Schemas['PaymentMethod'][];
}

export function CardRow({ card, methods }: CardRowProps) {
  const { t } = useTranslation(['billing', 'common']);
  const remember = useCall(rememberCard);
  const [isRedirecting, redirect] = useRedirect();
  const forget = useCall(forgetCard);
  const [isAsking, setAsking] = useState(false);
  const addCard = (PaymentMethod: Schemas['PaymentMethod']) =>
    remember.run(
      { PaymentMethod },
      ({ CardUrl }) => CardUrl && redirect(CardUrl),
      // The API client has shown a toast for any other error.
      (error) => typeof error.data.Key === 'string' && showToast(error.message, 'warning'),
    );
  const removeCard = async () => {
    await forget.run(undefined, () => showToast(t('autoTopUp.cardRemoved'), 'success'));
    setAsking(false);
  };
  const rememberText = (method: Schemas['PaymentMethod']) => {
    if (methods.length === 1) return t(card ? 'autoTopUp.replaceCard' : 'autoTopUp.addCard');
    const Method = t(`method.${method}` as 'method.sandbox');
    return t(card ? 'autoTopUp.replaceCardWith' : 'autoTopUp.addCardWith', { Method });
  };
  return (
    <div className={s.remembered}>
      <CreditCard size={26} aria-hidden="true" />
      <div>
        <strong>{card ? card.Name : t('autoTopUp.noCard')}</strong>
        <small>
          {card
            ? t('autoTopUp.expires', { Date: `${String(card.ExpiresMonth).padStart(2, '0')}/${card.ExpiresYear}` })
            : t('autoTopUp.noCardHint')}
        </small>
      </div>
      <div className={s.buttons}>
        {methods.map((method) => (
          <Button
            key={method}
            size={card ? 'small' : 'medium'}
            variant={card ? 'secondary' : 'primary'}
            loading={remember.isBusy || isRedirecting}
            onClick={() => addCard(method)}
          >
            {rememberText(method)}
          </Button>
        ))}
        {card && (
          <Button size="small" variant="ghost" onClick={() => setAsking(true)}>
            {t('autoTopUp.removeCard')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          call={forget}
          title={t('autoTopUp.removeCardTitle')}
          action={t('autoTopUp.removeCard')}
          danger
          onConfirm={removeCard}
          onClose={() => setAsking(false)}
        >
          <p>{t('autoTopUp.removeCardLead', { Card: card?.Name ?? '' })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
