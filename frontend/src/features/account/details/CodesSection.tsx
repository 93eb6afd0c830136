// The invitation code and the access token, if the operator shows them.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { INVITE_CODE_PARAMETER } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { Copied, Secret } from '@/ui/Secret';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../account.module.css';

export function CodesSection() {
  const { t } = useTranslation('account');
  const center = useUserStore((state) => state.center);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    // The operator may have changed what is shown.
    useUserStore
      .getState()
      .loadCenter()
      .catch(() => {});
  }, []);
  const code = center?.ShowInvitationCode ? center.InvitationCode : undefined;
  const token = center?.ShowAccessToken ? center.AccessToken : undefined;
  if (!code && !token) return null;
  return (
    <Section
      title={code && token ? t('shared.title') : code ? t('invitation.title') : t('token.title')}
      lead={code && token ? t('shared.lead') : code ? t('invitation.lead') : t('token.lead')}
      footer={token && <Button onClick={() => setAsking(true)}>{t('token.rotate')}</Button>}
    >
      <dl className={s.values}>
        {code && (
          <>
            <div>
              <dt>{t('invitation.code')}</dt>
              <dd>
                <Copied text={code} label={t('invitation.copyCode')} />
              </dd>
            </div>
            <div>
              <dt>{t('invitation.link')}</dt>
              <dd>
                <Copied
                  text={`${window.location.origin}/?${INVITE_CODE_PARAMETER}=${encodeURIComponent(code)}`}
                  label={t('invitation.copyLink')}
                />
              </dd>
            </div>
          </>
        )}
        {token && (
          <div>
            <dt>{t('token.token')}</dt>
            <dd>
              <Secret text={token} labels={{ show: t('token.show'), hide: t('token.hide'), copy: t('token.copy') }} />
              <small>{t('token.hint')}</small>
            </dd>
          </div>
        )}
      </dl>
      {isAsking && <RotateToken onClose={() => setAsking(false)} />}
    </Section>
  );
}

function RotateToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const once = useIdempotentCall();
  const rotate = async () => {
    try {
      await once.send('rotate', (options) => post('User/RotateAccessToken', undefined, options));
      await useUserStore.getState().loadCenter();
      showToast(t('token.rotated'), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('token.rotateTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={rotate}>
            {t('token.rotate')}
          </Button>
        </>
      }
    >
      <p>{t('token.rotateHint')}</p>
    </Dialog>
  );
}
