// The invitation code and the access token, if the operator shows them.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { INVITE_CODE_PARAMETER } from '@/core/constants.gen';
import { refreshCenter, useUserStore } from '@/stores/user';
import { Copied } from '@/ui/Secret';
import { Section } from '@/ui/Section';
import s from '../account.module.css';
import { TokenRow } from './TokenRow';

export function CodesSection() {
  const { t } = useTranslation('account');
  const center = useUserStore((state) => state.center);
  useEffect(() => {
    // The operator may have changed what is shown.
    refreshCenter();
  }, []);
  const code = center?.ShowInvitationCode ? center.InvitationCode : undefined;
  const isTokenShown = center?.ShowAccessToken === true;
  if (!center || (!code && !isTokenShown)) return null;
  return (
    <Section
      title={code && isTokenShown ? t('shared.title') : code ? t('invitation.title') : t('token.title')}
      lead={code && isTokenShown ? t('shared.lead') : code ? t('invitation.lead') : t('token.lead')}
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
        {isTokenShown && <TokenRow hasToken={center.HasAccessToken} />}
      </dl>
    </Section>
  );
}
