// Registers a proxy server, then shows its secret.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { operatorCore } from '@/core';
import { ProxyServerKind, SERVER_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './proxy-servers.module.css';
import { SecretDialog } from './SecretDialog';

const KINDS = Object.values(ProxyServerKind);

export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const queryClient = useQueryClient();
  const formId = useId();
  const fields = useFieldErrors();
  const once = useIdempotentCall();
  const [form, setForm] = useState({
    Name: '',
    Kind: ProxyServerKind.Residential as ProxyServerKind,
    Host: '',
    HttpPort: '',
    Socks5Port: '',
  });
  const [added, setAdded] = useState<Schemas['ProxyServerWithSecret']>();
  const change = (field: keyof typeof form, value: string) => {
    fields.clear(field);
    setForm({ ...form, [field]: value });
  };
  const bind = (field: 'Name' | 'Host' | 'HttpPort' | 'Socks5Port') => ({
    autoComplete: 'off',
    spellCheck: false,
    value: form[field],
    error: fields.textOf(field),
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
  });
  const add = async () => {
    if (once.isBusy || !fields.passes(operatorCore().validateProxyServer(form))) return;
    try {
      setAdded(await once.send(form, (options) => post('Operator/AddProxyServer', form, options)));
      queryClient.invalidateQueries({ queryKey: ['proxy-server-list'] });
    } catch (error) {
      fields.takeFrom(error);
    }
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = event.currentTarget;
    await add();
    requestAnimationFrame(() => typed.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  if (added) {
    return <SecretDialog title={t('secret.added', { Name: added.Server.Name })} {...added} isNew onClose={onClose} />;
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('form.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {t('form.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={submit} noValidate>
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
      </form>
    </Dialog>
  );
}
