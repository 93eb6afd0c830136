// Cancels an order after confirmation.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { cancelOrder } from '@/api/orders';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { isOfTraffic } from '@/ui/order/contents';

interface CancelOrderProps {
  order: Schemas['OrderView'];
  small?: boolean;
  onCancelled: () => void;
}

export function CancelOrder({ order, small, onCancelled }: CancelOrderProps) {
  const { t } = useTranslation('orders');
  const [isAsking, setAsking] = useState(false);
  const call = useCall(cancelOrder);
  const cancel = async () => {
    await call.run({ OrderId: order.OrderId }, () => setAsking(false));
    onCancelled();
  };
  return (
    <>
      <Button variant={small ? 'ghost' : 'danger'} size={small ? 'small' : 'medium'} onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call={call}
          title={t('cancelTitle')}
          action={t('cancelConfirm')}
          cancel={t('keep')}
          danger
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>{t(isOfTraffic(order) ? 'cancelHintTraffic' : 'cancelHint', { OrderNumber: order.OrderNumber })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
