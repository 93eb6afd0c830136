// The access token: hidden until it is revealed, which asks for a code if two-factor authentication is on. Rotated and revoked unseen.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { revealAccessToken, revokeAccessToken, rotateAccessToken } from '@/api/account';
import { useCall } from '@/api/useCall';
import { refreshCenter } from '@/stores/user';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Secret } from '@/ui/Secret';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';

type Change = 'rotate' | 'revoke';

export function TokenRow({ hasToken }: { hasToken: boolean }) {
  const { t } = useTranslation('account');
  const [token, setToken] = useState<string>();
  const [asked, setAsked] = useState<Change>();
  const reveal = useCall(revealAccessToken);
  const rotate = useCall(rotateAccessToken);
  const revoke = useCall(revokeAccessToken);
  const change = (wanted: Change) => {
    const done = async () => {
      setToken(undefined);
      await refreshCenter();
      showToast(t(wanted === 'revoke' ? 'token.revoked' : hasToken ? 'token.rotated' : 'token.created'), 'success');
      setAsked(undefined);
    };
    return wanted === 'rotate' ? rotate.run(undefined, done) : revoke.run(undefined, done);
  };
  return (
    <div>
      <dt>{t('token.token')}</dt>
      <dd>
        {hasToken ? (
          <>
            <Secret
              text={token}
              onReveal={() => reveal.run(undefined, ({ AccessToken }) => setToken(AccessToken ?? undefined))}
              labels={{ show: t('token.show'), hide: t('token.hide'), copy: t('token.copy') }}
            />
            <small>{t('token.hint')}</small>
            <div className={s.buttons}>
              <Button size="small" onClick={() => setAsked('rotate')}>
                {t('token.rotate')}
              </Button>
              <Button size="small" onClick={() => setAsked('revoke')}>
                {t('token.revoke')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <small>{t('token.none')}</small>
            <div className={s.buttons}>
              <Button size="small" loading={rotate.isBusy} onClick={() => change('rotate')}>
                {t('token.create')}
              </Button>
            </div>
          </>
        )}
        {asked && (
          <ConfirmDialog
            call={asked === 'rotate' ? rotate : revoke}
            title={t(`token.${asked}Title`)}
            action={t(`token.${asked}`)}
            danger
            onConfirm={() => change(asked)}
            onClose={() => setAsked(undefined)}
          >
            <p>{t(`token.${asked}Hint`)}</p>
          </ConfirmDialog>
        )}
      </dd>
    </div>
  );
}
