// Cancels an order after confirmation.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey, post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { isOfTraffic } from '@/ui/order/contents';

interface CancelOrderProps {
  order: Schemas['OrderView'];
  small?: boolean;
  onCancelled: () => void;
}

export function CancelOrder({ order, small, onCancelled }: CancelOrderProps) {
  const { t } = useTranslation(['orders', 'common']);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(newIdempotencyKey);
  const cancel = async () => {
    setBusy(true);
    try {
      await post('Order/CancelOrder', { OrderId: order.OrderId }, { idempotencyKey: key });
      setAsking(false);
    } catch {
      // The API client has shown the error toast; the order is refetched.
    } finally {
      setBusy(false);
      onCancelled();
    }
  };
  return (
    <>
      <Button variant={small ? 'ghost' : 'danger'} size={small ? 'small' : 'medium'} onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('cancelTitle')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('keep')}</Button>
            <Button variant="danger" loading={isBusy} onClick={cancel}>
              {t('cancelConfirm')}
            </Button>
          </>
        }
      >
        <p>{t(isOfTraffic(order) ? 'cancelHintTraffic' : 'cancelHint', { OrderNumber: order.OrderNumber })}</p>
      </Dialog>
    </>
  );
}
