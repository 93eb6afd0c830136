// Two-factor authentication: status and actions.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { twoFactorQuery } from '@/api/account';
import { Button } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Section } from '@/ui/Section';
import { Badge, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import s from '../account.module.css';
import { ReplaceCodes } from './ReplaceCodes';
import { TurnOffTwoFactor } from './TurnOffTwoFactor';
import { TwoFactorSetup } from './TwoFactorSetup';

/** Warn when this few recovery codes are left. */
const FEW = 3;

export function TwoFactorSection() {
  const { t } = useTranslation('account');
  const status = useQuery(twoFactorQuery);
  const [doing, setDoing] = useState<'setup' | 'codes' | 'off'>();
  const close = () => setDoing(undefined);
  const on = status.data?.IsOn ? status.data : undefined;
  return (
    <Section
      title={t('twoFactor.title')}
      lead={t('twoFactor.lead')}
      footer={
        status.data &&
        (on ? (
          <>
            <Button variant="danger" onClick={() => setDoing('off')}>
              {t('twoFactor.turnOff')}
            </Button>
            <Button onClick={() => setDoing('codes')}>{t('twoFactor.newCodes')}</Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setDoing('setup')}>
            {t('twoFactor.turnOn')}
          </Button>
        ))
      }
    >
      {status.isError && !status.data && <ErrorState error={status.error} onRetry={() => status.refetch()} />}
      {status.isPending && <LoadingState rows={2} />}
      {status.data && !on && (
        <div className={s.state}>
          <Badge>{t('twoFactor.off')}</Badge>
          <p>{t('twoFactor.offHint')}</p>
        </div>
      )}
      {on && (
        <div className={s.form}>
          <div className={s.state}>
            <Badge tone="good">{t('twoFactor.on')}</Badge>
            <p>{fillText((marks) => t('twoFactor.since', marks), { Time: <DateText value={on.TurnedOnAt} /> })}</p>
          </div>
          {on.RecoveryCodesLeft > FEW ? (
            <p className={s.soft}>{t('twoFactor.codesLeft', { count: on.RecoveryCodesLeft })}</p>
          ) : (
            <Notice tone="warn">
              {t('twoFactor.codesLeft', { count: on.RecoveryCodesLeft })} {t('twoFactor.fewCodes')}
            </Notice>
          )}
        </div>
      )}
      {doing === 'setup' && <TwoFactorSetup onClose={close} />}
      {doing === 'codes' && <ReplaceCodes onClose={close} />}
      {doing === 'off' && <TurnOffTwoFactor onClose={close} />}
    </Section>
  );
}
