// Creates or edits a webhook.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { addWebhook, type EventName, editWebhook, type WebhookView } from '@/api/webhooks';
import { screenRules } from '@/core';
import { useMay } from '@/stores/may';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/toast';
import { EventsField, shopEvents } from './EventsField';
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
  const [isOfShop, setOfShop] = useState(webhook?.IsOfShop ?? false);
  // What only those may do who may do everything.
  const mayBeOfShop = useMay()('Operator/ExamineShop');

  const save = (event: FormEvent<HTMLFormElement>) => {
    const body = { Url: url, Description: description, ...(events && { Events: events }) };
    const broken = screenRules().validateWebhook(body, testHosts);
    if (!webhook) return add.submit(event, { broken, body: { ...body, ...(isOfShop && { IsOfShop: true }) } });
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
      {webhook?.IsOfShop && <Notice tone="neutral">{t('form.shopFixed')}</Notice>}
      {!webhook && mayBeOfShop && (
        <OptionList
          label={t('form.scope')}
          value={isOfShop ? 'shop' : 'mine'}
          options={[
            { value: 'mine', label: t('form.mine'), hint: t('form.mineHint') },
            { value: 'shop', label: t('form.shop'), hint: t('form.shopHint') },
          ]}
          onChange={(whose) => {
            setOfShop(whose === 'shop');
            if (whose === 'shop') setEvents(events && shopEvents(events));
          }}
        />
      )}
      <EventsField
        isOfShop={isOfShop}
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
