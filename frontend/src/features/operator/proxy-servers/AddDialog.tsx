// Registers a proxy server, then shows its secret.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addProxyServer } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { ProxyServerKind, SERVER_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import s from './proxy-servers.module.css';
import { SecretDialog } from './SecretDialog';

const KINDS = Object.values(ProxyServerKind);

export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const call = useCall(addProxyServer);
  const [form, setForm] = useState({
    Name: '',
    Kind: ProxyServerKind.Residential as ProxyServerKind,
    Host: '',
    HttpPort: '',
    Socks5Port: '',
  });
  const change = (field: keyof typeof form, value: string) => setForm({ ...form, [field]: value });
  const bind = (field: 'Name' | 'Host' | 'HttpPort' | 'Socks5Port') => ({
    autoComplete: 'off',
    spellCheck: false,
    ...call.bind(field, form[field], (typed) => change(field, typed)),
  });
  if (call.answer) {
    const { Name } = call.answer.Server;
    return <SecretDialog title={t('secret.added', { Name })} {...call.answer} isNew onClose={onClose} />;
  }
  return (
    <FormDialog
      call={call}
      title={t('form.title')}
      action={t('form.submit')}
      className={s.form}
      onSubmit={(event) => call.submit(event, { broken: screenRules().validateProxyServer(form), body: form })}
      onClose={onClose}
    >
      <TextField
        label={t('form.name')}
        hint={t('form.nameHint')}
        maxLength={SERVER_NAME_MAX_LENGTH}
        {...bind('Name')}
      />
      <OptionList<ProxyServerKind>
        label={t('form.kind')}
        value={form.Kind}
        onChange={(kind) => change('Kind', kind)}
        options={KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`), hint: t(`form.kindHint.${kind}`) }))}
      />
      <TextField label={t('form.host')} hint={t('form.hostHint')} autoCapitalize="none" {...bind('Host')} />
      <div className={s.columns}>
        <TextField label={t('form.httpPort')} inputMode="numeric" {...bind('HttpPort')} />
        <TextField
          label={t('form.socks5Port')}
          hint={t('form.socks5Hint')}
          inputMode="numeric"
          {...bind('Socks5Port')}
        />
      </div>
    </FormDialog>
  );
}
