// Confirms and revokes an API key.
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';

interface RevokeKeyProps {
  apiKey: Schemas['ApiKeyView'];
  onClose: () => void;
  onChanged: () => void;
}

export function RevokeKey({ apiKey, onClose, onChanged }: RevokeKeyProps) {
  const { t } = useTranslation(['account', 'common']);
  const once = useIdempotentCall();
  const revoke = async () => {
    const body = { ApiKeyId: apiKey.ApiKeyId };
    try {
      await once.send(body, (options) => post('ApiKeys/RevokeApiKey', body, options));
      showToast(t('keys.revoked', { Name: apiKey.Name }), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
    onChanged();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('keys.revokeTitle', { Name: apiKey.Name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={revoke}>
            {t('keys.revoke')}
          </Button>
        </>
      }
    >
      <p>{t('keys.revokeHint')}</p>
    </Dialog>
  );
}
