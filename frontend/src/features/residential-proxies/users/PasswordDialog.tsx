// Changes the password of a proxy user, and shows the new one.
import { ListBullets } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serversQuery } from '@/api/endpoints';
import {
  changeProxyUserPassword,
  type ProxyUserView,
  type ProxyUserWithPassword,
  passwordQuery,
} from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { clientIpUrl } from '@/core/clientIp';
import { OLD_VALID_MINUTES } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { usePreferences } from '@/stores/preferences';
import { Button, ButtonLink } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { PasswordField, SelectField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Dialog } from '@/ui/Overlay';
import { lengthsOfTime } from '@/ui/texts';
import { nowOnWire } from '@/ui/wireTime';
import { portOf } from '../endpointServers';
import { generatorOf } from './UserActions';
import s from './users.module.css';

export function PasswordDialog({ user, onClose }: { user: ProxyUserView; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const call = useCall(changeProxyUserPassword);
  const [password, setPassword] = useState('');
  const [minutes, setMinutes] = useState(0);
  const save = (event: FormEvent<HTMLFormElement>) => {
    const { Password = [] } = screenRules().validateProxyUser({ Name: user.Name, Password: password }, nowOnWire());
    return call.submit(event, {
      broken: Password.length > 0 ? { Password } : {},
      body: { ProxyUserId: user.ProxyUserId, Password: password, OldValidMinutes: minutes },
    });
  };
  if (call.answer) {
    return <NewPassword title={t('password.changed', { Name: user.Name })} {...call.answer} onClose={onClose} />;
  }
  return (
    <FormDialog
      call={call}
      title={t('password.title', { Name: user.Name })}
      action={t('password.submit')}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
      <PasswordField
        label={t('password.new')}
        hint={t('form.passwordHint')}
        autoComplete="new-password"
        {...call.bind('Password', password, setPassword)}
      />
      <SelectField
        label={t('password.old')}
        hint={t('password.oldHint')}
        error={call.errors.textOf('OldValidMinutes')}
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
    </FormDialog>
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
  const servers = useQuery(serversQuery);
  const { endpointFormat, protocol } = usePreferences();
  useEffect(() => {
    queryClient.setQueryData(passwordQuery(user.ProxyUserId).queryKey, password);
  }, [queryClient, user.ProxyUserId, password]);
  const server = servers.data?.find((one) => portOf(one, protocol));
  const rules = screenRules();
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
      clientIpUrl(),
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
