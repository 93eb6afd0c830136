// Ends a coupon, after a confirmation.
import { useTranslation } from 'react-i18next';
import { type CouponView, endCoupon } from '@/api/prices';
import { useCall } from '@/api/useCall';
import { ConfirmDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import s from './coupons.module.css';

export function EndDialog({ coupon, onClose }: { coupon: CouponView; onClose: () => void }) {
  const { t } = useTranslation('coupons');
  const call = useCall(endCoupon);
  const { Code } = coupon.Coupon;
  const onDone = () => {
    showToast(t('end.done', { Code }), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('end.title', { Code })}
      action={t('end.confirm')}
      danger
      onConfirm={() => call.run({ Code }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{coupon.Orders > 0 ? t('end.keeps', { count: coupon.Orders }) : t('end.unused')}</p>
        <p className={s.soft}>{t('end.final')}</p>
      </div>
    </ConfirmDialog>
  );
}
