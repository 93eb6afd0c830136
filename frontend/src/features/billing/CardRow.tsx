// The card charged by automatic top-ups: add, replace or remove it.
import { CreditCard } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './billing.module.css';

interface CardRowProps {
  card: Schemas['CardView'] | null;
  /** Gateways that can save cards. */
  methods: Schemas['PaymentMethod'][];
  onChanged: (changed: Schemas['AutoTopUpView']) => void;
}

export function CardRow({ card, methods, onChanged }: CardRowProps) {
  const { t } = useTranslation(['billing', 'common']);
  const once = useIdempotentCall();
  const [isAsking, setAsking] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const remember = async (method: Schemas['PaymentMethod']) => {
    setLeaving(true);
    try {
      const body = { PaymentMethod: method };
      const { CardUrl } = await once.send(body, (options) => post('Wallet/RememberCard', body, options));
      if (CardUrl) window.location.assign(CardUrl);
    } catch (error) {
      // The API client has shown a toast for any other error.
      if (error instanceof CallError && typeof error.data.Key === 'string') showToast(error.message, 'warning');
      setLeaving(false);
    }
  };
  const forget = async () => {
    try {
      onChanged(await once.send('forget', (options) => post('Wallet/ForgetCard', undefined, options)));
      showToast(t('autoTopUp.cardRemoved'), 'success');
    } catch {
      // The API client has shown the error toast.
    } finally {
      setAsking(false);
    }
  };
  const rememberText = (method: Schemas['PaymentMethod']) => {
    if (card) return t('autoTopUp.replaceCard');
    if (methods.length === 1) return t('autoTopUp.addCard');
    return t('autoTopUp.addCardWith', { Method: t(`method.${method}` as 'method.sandbox') });
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
            loading={isLeaving}
            onClick={() => remember(method)}
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
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('autoTopUp.removeCardTitle')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('common:cancel')}</Button>
            <Button variant="danger" loading={once.isBusy} onClick={forget}>
              {t('autoTopUp.removeCard')}
            </Button>
          </>
        }
      >
        <p>{t('autoTopUp.removeCardLead', { Card: card?.Name ?? '' })}</p>
      </Dialog>
    </div>
  );
}
