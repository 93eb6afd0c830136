// Deletes a use case, after a confirmation.
import { useTranslation } from 'react-i18next';
import { deleteUseCase } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { ConfirmDialog } from '@/ui/FormDialog';
import { useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './inventory.module.css';
import type { Placed } from './useCases';

export function DeleteUseCase({ useCase, onClose }: { useCase: Placed; onClose: () => void }) {
  const { t } = useTranslation('inventory');
  const call = useCall(deleteUseCase);
  const { Target, Nodes } = useCase;
  const Name = useName()({ en: useCase.NameEn, zh: useCase.NameZh });
  const told = () => {
    showToast(t('useCases.remove.done', { Name }), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('useCases.remove.title', { Name })}
      action={t('useCases.delete')}
      danger
      onConfirm={() => call.run({ Target }, told)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{Nodes > 0 ? t('useCases.remove.loses', { count: Nodes }) : t('useCases.remove.unused')}</p>
        <p className={s.soft}>{t('useCases.remove.stays')}</p>
      </div>
    </ConfirmDialog>
  );
}
