// Shows that a list has one customer only, and shows all again.
import { X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/Button';

/** `value` is empty for all customers. */
export function AccountFilter({ value, onRemove }: { value: string; onRemove: () => void }) {
  const { t } = useTranslation('payments');
  if (!value) return null;
  return (
    <Button icon={<X size={14} aria-hidden="true" />} title={t('removeAccount')} onClick={onRemove}>
      {t('onlyAccount', { AccountId: value })}
    </Button>
  );
}
