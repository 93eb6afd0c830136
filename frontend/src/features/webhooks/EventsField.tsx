// Events of a webhook: all, or selected ones grouped by topic.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventName } from '@/api/webhooks';
import { screenRules } from '@/core';
import { OptionList } from '@/ui/Controls';
import s from './webhooks.module.css';

/** The kinds of events that a webhook can receive: one of the shop, nothing about the security of accounts. */
const kindsOf = (isOfShop: boolean) =>
  screenRules()
    .eventKinds()
    .filter((row) => row.IsForWebhooks && !(isOfShop && row.IsSecurity));

/** The chosen events that a webhook of the shop can receive. */
export function shopEvents(chosen: EventName[]): EventName[] {
  const kinds = kindsOf(true).map((row) => row.Kind);
  return chosen.filter((kind) => kinds.includes(kind));
}

interface EventsFieldProps {
  isOfShop: boolean;
  /** Undefined for all. */
  value: EventName[] | undefined;
  error: string | undefined;
  onChange: (chosen: EventName[] | undefined) => void;
}

export function EventsField({ isOfShop, value, error, onChange }: EventsFieldProps) {
  const { t } = useTranslation('webhooks');
  const errorId = useId();
  const kinds = kindsOf(isOfShop);
  const topics = [...new Set(kinds.map((row) => row.Topic))] as (keyof typeof TOPICS)[];
  return (
    <>
      <OptionList
        label={t('form.events')}
        value={value ? 'chosen' : 'all'}
        options={[
          { value: 'all', label: t('form.all'), hint: t('form.allHint') },
          { value: 'chosen', label: t('form.chosen'), hint: t('form.chosenHint') },
        ]}
        onChange={(which) => onChange(which === 'chosen' ? [] : undefined)}
      />
      {value && (
        <div className={s.topics} aria-describedby={error && errorId}>
          {topics.map((topic) => (
            <Topic
              key={topic}
              topic={topic}
              kinds={kinds.filter((row) => row.Topic === topic).map((row) => row.Kind)}
              value={value}
              onChange={onChange}
            />
          ))}
        </div>
      )}
      {error && (
        <div id={errorId} className={s.wrong} role="alert">
          {error}
        </div>
      )}
    </>
  );
}

/** Topics of events, from the keys of the texts. */
const TOPICS = {
  order: 'order',
  payment: 'payment',
  proxies: 'proxies',
  traffic: 'traffic',
  proxy_user: 'proxy_user',
  wallet: 'wallet',
  referral: 'referral',
  support: 'support',
  security: 'security',
  webhook: 'webhook',
} as const;

interface TopicProps {
  topic: keyof typeof TOPICS;
  kinds: EventName[];
  value: EventName[];
  onChange: (chosen: EventName[]) => void;
}

function Topic({ topic, kinds, value, onChange }: TopicProps) {
  const { t } = useTranslation('webhooks');
  const isWhole = kinds.every((kind) => value.includes(kind));
  const isPart = !isWhole && kinds.some((kind) => value.includes(kind));
  const without = (gone: EventName[]) => value.filter((kind) => !gone.includes(kind));
  return (
    <fieldset className={s.topic}>
      <legend>{t(`topic.${topic}`)}</legend>
      {kinds.length > 1 && (
        <label className={s.tick}>
          <input
            type="checkbox"
            checked={isWhole}
            ref={(box) => {
              if (box) box.indeterminate = isPart;
            }}
            onChange={() => onChange(isWhole ? without(kinds) : [...without(kinds), ...kinds])}
          />
          <span>{t('form.whole', { Topic: t(`topic.${topic}`) })}</span>
        </label>
      )}
      {kinds.map((kind) => (
        <label key={kind} className={s.tick}>
          <input
            type="checkbox"
            checked={value.includes(kind)}
            onChange={(event) => onChange(event.target.checked ? [...value, kind] : without([kind]))}
          />
          <span>
            {t(`event.${kind}`)} <code>{kind}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
