// Creates or edits a webhook.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { EventName, WebhookSecret, WebhookView } from '@/api/webhooks';
import { account } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { EventsField } from './EventsField';
import { SecretDialog } from './SecretDialog';
import { keepWebhooks, webhooksQuery } from './webhooks';
import s from './webhooks.module.css';

interface WebhookDialogProps {
  webhook?: WebhookView;
  testHosts: string[];
  onClose: () => void;
}

export function WebhookDialog({ webhook, testHosts, onClose }: WebhookDialogProps) {
  const { t } = useTranslation(['webhooks', 'common']);
  const client = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const [url, setUrl] = useState(webhook?.Url ?? '');
  const [description, setDescription] = useState(webhook?.Description ?? '');
  const [events, setEvents] = useState<EventName[] | undefined>(webhook?.Events ?? undefined);
  const [added, setAdded] = useState<WebhookSecret>();

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy) return;
    const body = { Url: url, Description: description, ...(events && { Events: events }) };
    if (!errors.passes(account().validateWebhook(body, testHosts))) return;
    try {
      if (webhook) {
        const edit = { WebhookId: webhook.WebhookId, ...body };
        keepWebhooks(client, await once.send(edit, (options) => post('Webhooks/EditWebhook', edit, options)));
        showToast(t('form.saved'), 'success');
        return onClose();
      }
      setAdded(await once.send(body, (options) => post('Webhooks/AddWebhook', body, options)));
      client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    } catch (error) {
      errors.takeFrom(error);
    }
  };

  if (added) return <SecretDialog title={t('secret.title')} secret={added} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={webhook ? t('form.editTitle') : t('form.addTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {webhook ? t('common:save') : t('form.add')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
        <TextField
          label={t('form.url')}
          hint={t('form.urlHint')}
          error={errors.textOf('Url')}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          value={url}
          onChange={(event) => {
            errors.clear('Url');
            setUrl(event.target.value);
          }}
        />
        <TextField
          label={t('form.description')}
          hint={t('form.descriptionHint')}
          error={errors.textOf('Description')}
          autoComplete="off"
          value={description}
          onChange={(event) => {
            errors.clear('Description');
            setDescription(event.target.value);
          }}
        />
        <EventsField
          value={events}
          error={errors.textOf('Events')}
          onChange={(chosen) => {
            errors.clear('Events');
            setEvents(chosen);
          }}
        />
      </form>
    </Dialog>
  );
}
