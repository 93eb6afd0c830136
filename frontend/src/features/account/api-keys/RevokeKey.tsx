// Confirms and revokes an API key.
import { useTranslation } from 'react-i18next';
import { revokeApiKey } from '@/api/account';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { ConfirmDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';

export function RevokeKey({ apiKey, onClose }: { apiKey: Schemas['ApiKeyView']; onClose: () => void }) {
  const { t } = useTranslation('account');
  const call = useCall(revokeApiKey);
  const onDone = () => {
    showToast(t('keys.revoked', { Name: apiKey.Name }), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('keys.revokeTitle', { Name: apiKey.Name })}
      action={t('keys.revoke')}
      danger
      onConfirm={() => call.run({ ApiKeyId: apiKey.ApiKeyId }, onDone)}
      onClose={onClose}
    >
      <p>{t('keys.revokeHint')}</p>
    </ConfirmDialog>
  );
}
