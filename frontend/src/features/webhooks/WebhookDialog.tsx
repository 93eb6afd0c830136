// Creates or edits a webhook.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { addWebhook, type EventName, editWebhook, type WebhookView } from '@/api/webhooks';
import { screenRules } from '@/core';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { EventsField } from './EventsField';
import { SecretDialog } from './SecretDialog';
import s from './webhooks.module.css';

interface WebhookDialogProps {
  webhook?: WebhookView;
  testHosts: string[];
  onClose: () => void;
}

export function WebhookDialog({ webhook, testHosts, onClose }: WebhookDialogProps) {
  const { t } = useTranslation(['webhooks', 'common']);
  const add = useCall(addWebhook);
  const edit = useCall(editWebhook);
  const { bind, errors } = webhook ? edit : add;
  const [url, setUrl] = useState(webhook?.Url ?? '');
  const [description, setDescription] = useState(webhook?.Description ?? '');
  const [events, setEvents] = useState<EventName[] | undefined>(webhook?.Events ?? undefined);

  const save = (event: FormEvent<HTMLFormElement>) => {
    const body = { Url: url, Description: description, ...(events && { Events: events }) };
    const broken = screenRules().validateWebhook(body, testHosts);
    if (!webhook) return add.submit(event, { broken, body });
    const onDone = () => {
      showToast(t('form.saved'), 'success');
      onClose();
    };
    return edit.submit(event, { broken, body: { WebhookId: webhook.WebhookId, ...body }, onDone });
  };

  if (add.answer) return <SecretDialog title={t('secret.title')} secret={add.answer} onClose={onClose} />;
  return (
    <FormDialog
      call={webhook ? edit : add}
      title={webhook ? t('form.editTitle') : t('form.addTitle')}
      action={webhook ? t('common:save') : t('form.add')}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('form.url')}
        hint={t('form.urlHint')}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        {...bind('Url', url, setUrl)}
      />
      <TextField
        label={t('form.description')}
        hint={t('form.descriptionHint')}
        autoComplete="off"
        {...bind('Description', description, setDescription)}
      />
      <EventsField
        value={events}
        error={errors.textOf('Events')}
        onChange={(chosen) => {
          errors.clear('Events');
          setEvents(chosen);
        }}
      />
    </FormDialog>
  );
}
