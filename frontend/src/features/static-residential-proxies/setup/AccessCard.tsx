// Access to a plan's proxies: the mode, and shared credentials.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAutoRenew, updateVerAccount, updateVerAuth } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { AccessMode } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList, Toggle } from '@/ui/Controls';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Copied, Secret } from '@/ui/Secret';
import { showToast } from '@/ui/toast';
import { CredentialFields, KeepOldField, useCredentials } from '../CredentialFields';
import s from '../static.module.css';
import { useTierLimits } from '../tierTexts';
import { useSecretLabels } from '../useSecretLabels';
import local from './setup.module.css';

type VerAuth = Schemas['VerAuth'];

export function AccessCard({ auth, plan }: { auth: VerAuth; plan: Schemas['Plan'] | undefined }) {
  const { t } = useTranslation('static_residential_proxies');
  const access = useCall(updateVerAuth);
  const renewal = useCall(setAutoRenew);
  const limits = useTierLimits()(auth.VerStr);
  const isBusy = access.isBusy || renewal.isBusy;
  const modeError = access.errors.textOf('AccessMode');
  // Optimistic state until the server responds.
  const [optimistic, setOptimistic] = useState<{ mode?: AccessMode; autoRenew?: boolean }>({});
  const setMode = async (mode: AccessMode) => {
    setOptimistic({ mode });
    access.errors.clear('AccessMode');
    await access.run({ VerStr: auth.VerStr, AccessMode: mode }, () => showToast(t('setup.accessChanged'), 'success'));
    setOptimistic({});
  };
  const changeAutoRenew = async (isOn: boolean) => {
    setOptimistic({ autoRenew: isOn });
    await renewal.run({ VerStr: auth.VerStr, AutoRenew: isOn });
    setOptimistic({});
  };
  return (
    <Card title={t('setup.access')}>
      <div className={s.form} aria-busy={isBusy}>
        <OptionList
          label={t('setup.accessMode')}
          value={optimistic.mode ?? auth.AccessMode}
          onChange={setMode}
          options={Object.values(AccessMode).map((mode) => ({
            value: mode,
            label: t(`setup.mode.${mode}`),
            hint: t(`setup.modeHint.${mode}`),
            disabled: isBusy,
          }))}
        />
        {modeError && <Notice tone="bad">{modeError}</Notice>}
        {auth.AccessMode === AccessMode.Whitelist && auth.WhiteListCount === 0 && (
          <Notice tone="warn">{t('setup.noAddressYet')}</Notice>
        )}
        {plan && (
          <>
            <div className={local.planRenew}>
              <Toggle
                label={t('autoRenew.ofPlan')}
                checked={optimistic.autoRenew ?? plan.AutoRenew}
                busy={isBusy}
                onChange={changeAutoRenew}
              />
              <small>{t('autoRenew.ofPlanHint')}</small>
            </div>
            <dl className={s.facts}>
              {limits && (
                <div>
                  <dt>{t('perIp')}</dt>
                  <dd>{limits}</dd>
                </div>
              )}
              <div>
                <dt>{t('setup.quota')}</dt>
                <dd>
                  {t('switch.quotaOf', { Left: plan.Quota.Left, Limit: plan.Quota.Limit })}
                  {plan.Quota.ResetsAt && (
                    <small>
                      {' · '}
                      {t('switch.resets', { Time: plan.Quota.ResetsAt })}
                    </small>
                  )}
                </dd>
              </div>
            </dl>
          </>
        )}
      </div>
    </Card>
  );
}

export function CredentialsCard({ auth }: { auth: VerAuth }) {
  const { t } = useTranslation('static_residential_proxies');
  const secretLabels = useSecretLabels();
  const [isChanging, setChanging] = useState(false);
  const isShared = auth.UserName !== '';
  return (
    <Card
      title={t('setup.credentials')}
      aside={
        <Button size="small" onClick={() => setChanging(true)}>
          {t('setup.change')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{isShared ? t('setup.credentialsHint') : t('setup.perNode')}</p>
        {isShared && (
          <dl className={s.facts}>
            <div>
              <dt>{t('setup.userName')}</dt>
              <dd>
                <Copied text={auth.UserName} label={t('list.copyUser')} />
              </dd>
            </div>
            <div>
              <dt>{t('setup.password')}</dt>
              <dd>
                <Secret text={auth.Password} labels={secretLabels} />
              </dd>
            </div>
          </dl>
        )}
        {auth.OldUserName && auth.OldValidUntil && (
          <Notice>{t('setup.oldOnes', { UserName: auth.OldUserName, Time: auth.OldValidUntil })}</Notice>
        )}
      </div>
      {isChanging && <ChangePlanCredentials auth={auth} onClose={() => setChanging(false)} />}
    </Card>
  );
}

function ChangePlanCredentials({ auth, onClose }: { auth: VerAuth; onClose: () => void }) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const call = useCall(updateVerAccount);
  const credentials = useCredentials(call.errors, auth.UserName);
  const save = (event: FormEvent<HTMLFormElement>) =>
    call.submit(event, {
      broken: credentials.broken(),
      body: { VerStr: auth.VerStr, ...credentials.account, KeepOldHours: credentials.keepOldHours },
      onDone: () => {
        showToast(t('setup.changed'), 'success');
        onClose();
      },
    });
  return (
    <FormDialog
      call={call}
      title={t('setup.changeTitle')}
      action={t('credentials.submit')}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
      <CredentialFields credentials={credentials} />
      <KeepOldField credentials={credentials} />
    </FormDialog>
  );
}
