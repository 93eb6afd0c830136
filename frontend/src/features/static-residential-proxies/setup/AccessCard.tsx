// Access to a plan's proxies: the mode, and shared credentials.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { AccessMode } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList, Toggle } from '@/ui/Controls';
import { useFieldErrors } from '@/ui/form';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Card } from '@/ui/Page';
import { Copied, Secret } from '@/ui/Secret';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { CredentialFields, KeepOldField, useCredentials } from '../CredentialFields';
import s from '../static.module.css';
import { useSecretLabels } from '../useSecretLabels';
import room from './setup.module.css';

type VerAuth = Schemas['VerAuth'];

export function AccessCard({ auth, plan }: { auth: VerAuth; plan: Schemas['Plan'] | undefined }) {
  const { t } = useTranslation('static_residential_proxies');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  // Optimistic state until the server responds.
  const [optimistic, setOptimistic] = useState<{ mode?: AccessMode; autoRenew?: boolean }>({});
  const refresh = () =>
    Promise.all(['ver-auth', 'plans', 'proxy-list'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const setMode = async (mode: AccessMode) => {
    const body = { VerStr: auth.VerStr, AccessMode: mode };
    setOptimistic({ mode });
    errors.clear('AccessMode');
    try {
      await once.send(body, (options) => post('Ips/UpdateVerAuth', body, options));
      showToast(t('setup.accessChanged'), 'success');
    } catch (error) {
      errors.takeFrom(error);
    }
    await refresh();
    setOptimistic({});
  };
  const setAutoRenew = async (isOn: boolean) => {
    const body = { VerStr: auth.VerStr, AutoRenew: isOn };
    setOptimistic({ autoRenew: isOn });
    try {
      await once.send(body, (options) => post('Ips/SetAutoRenew', body, options));
    } catch {
      // The API client has shown the error toast.
    }
    await refresh();
    setOptimistic({});
  };
  return (
    <Card title={t('setup.access')}>
      <div className={s.form} aria-busy={once.isBusy}>
        <OptionList
          label={t('setup.accessMode')}
          value={optimistic.mode ?? auth.AccessMode}
          onChange={setMode}
          options={Object.values(AccessMode).map((mode) => ({
            value: mode,
            label: t(`setup.mode.${mode}`),
            hint: t(`setup.modeHint.${mode}`),
            disabled: once.isBusy,
          }))}
        />
        {errors.textOf('AccessMode') && <Notice tone="bad">{errors.textOf('AccessMode')}</Notice>}
        {auth.AccessMode === AccessMode.Whitelist && auth.WhiteListCount === 0 && (
          <Notice tone="warn">{t('setup.noAddressYet')}</Notice>
        )}
        {plan && (
          <>
            <div className={room.planRenew}>
              <Toggle
                label={t('autoRenew.ofPlan')}
                checked={optimistic.autoRenew ?? plan.AutoRenew}
                busy={once.isBusy}
                onChange={setAutoRenew}
              />
              <small>{t('autoRenew.ofPlanHint')}</small>
            </div>
            <dl className={s.facts}>
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
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const formId = useId();
  const credentials = useCredentials(auth.UserName);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy || !credentials.passes()) return;
    const body = { VerStr: auth.VerStr, ...credentials.account, KeepOldHours: credentials.keepOldHours };
    try {
      await once.send(body, (options) => post('Ips/UpdateVerUserPass', body, options));
      await Promise.all(['ver-auth', 'setup-nodes'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
      queryClient.invalidateQueries({ queryKey: ['proxy-list'] });
      showToast(t('setup.changed'), 'success');
      onClose();
    } catch (error) {
      credentials.takeFrom(error);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('setup.changeTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {t('credentials.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
        <CredentialFields credentials={credentials} />
        <KeepOldField credentials={credentials} />
      </form>
    </Dialog>
  );
}
