// Changes the password of a proxy user, and shows the new one.
import { ListBullets } from '@phosphor-icons/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { ProxyUserView, ProxyUserWithPassword } from '@/api/proxyUsers';
import { endpoints, residential } from '@/core';
import { OLD_VALID_MINUTES } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { usePreferences } from '@/stores/preferences';
import { Button, ButtonLink } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { PasswordField, SelectField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { lengthsOfTime } from '@/ui/texts';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { nowOnWire } from '@/ui/wireTime';
import { forgetPassword, passwordQuery, portOf, useServers } from '../endpointServers';
import { generatorOf } from './UserActions';
import s from './users.module.css';

export function PasswordDialog({ user, onClose }: { user: ProxyUserView; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const [password, setPassword] = useState('');
  const [minutes, setMinutes] = useState(0);
  const [changed, setChanged] = useState<ProxyUserWithPassword>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy) return;
    const { Password = [] } = residential().validateProxyUser({ Name: user.Name, Password: password }, nowOnWire());
    if (!errors.passes(Password.length > 0 ? { Password } : {})) return;
    const body = { ProxyUserId: user.ProxyUserId, Password: password, OldValidMinutes: minutes };
    try {
      setChanged(await once.send(body, (options) => post('ProxyUsers/ChangeProxyUserPassword', body, options)));
      forgetPassword(queryClient, user.ProxyUserId);
      queryClient.invalidateQueries({ queryKey: ['proxy-users'] });
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  if (changed) return <NewPassword title={t('password.changed', { Name: user.Name })} {...changed} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('password.title', { Name: user.Name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {t('password.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
        <PasswordField
          label={t('password.new')}
          hint={t('form.passwordHint')}
          autoComplete="new-password"
          error={errors.textOf('Password')}
          value={password}
          onChange={(event) => {
            errors.clear('Password');
            setPassword(event.target.value);
          }}
        />
        <SelectField
          label={t('password.old')}
          hint={t('password.oldHint')}
          error={errors.textOf('OldValidMinutes')}
          value={minutes}
          onChange={(event) => setMinutes(Number(event.target.value))}
        >
          {OLD_VALID_MINUTES.map((length) => (
            <option key={length} value={length}>
              {length === 0
                ? t('password.atOnce')
                : t('password.for', { Time: lengthsOfTime([length], currentLanguage()) })}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  );
}

/** The current password, and a sample endpoint. */
export function NewPassword({
  title,
  ProxyUser: user,
  Password: password,
  onClose,
}: ProxyUserWithPassword & { title: string; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const servers = useServers();
  const { endpointFormat, protocol } = usePreferences();
  useEffect(() => {
    queryClient.setQueryData(passwordQuery(user.ProxyUserId).queryKey, password);
  }, [queryClient, user.ProxyUserId, password]);
  const server = servers.data?.find((one) => portOf(one, protocol));
  const rules = endpoints();
  const format = rules.endpointFormats().find((one) => one === endpointFormat) ?? 'host_port_user_pass';
  const line =
    server &&
    rules.formatEndpoints(
      [
        {
          Scheme: protocol,
          Host: server.Host,
          Port: portOf(server, protocol) ?? server.HttpPort,
          UserName: rules.formatUserName({ Name: user.Name }),
          Password: password,
        },
      ],
      format,
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <ButtonLink to={generatorOf(user)} icon={<ListBullets size={16} />}>
            {t('action.generate')}
          </ButtonLink>
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        </>
      }
    >
      <dl className={s.result}>
        <div>
          <dt>{t('password.password')}</dt>
          <dd>
            <code>{password}</code>
            <CopyButton text={password} label={t('list.copyPassword', { Name: user.Name })} />
          </dd>
        </div>
        {line && (
          <div>
            <dt>{t('password.endpoint')}</dt>
            <dd>
              <code>{line}</code>
              <CopyButton text={line} label={t('list.copyEndpoint', { Name: user.Name })} />
            </dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}
