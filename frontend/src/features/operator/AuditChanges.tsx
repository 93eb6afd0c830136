// Entries of the audit log: what was done, by whom, and what it changed.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core, shownTimeZone } from '@/core';
import {
  type Adjustment,
  AuditAction,
  AuditChannel,
  type PaymentMethod,
  type ProxyServerKind,
  RefundProgress,
  ReturnState,
  type StaffRole,
} from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { placeText, useNumber } from '@/ui/texts';
import s from './audit.module.css';
import { useLevelText } from './LevelBadge';

type Entry = Schemas['AuditEntry'];
type Change = Schemas['AuditChange'];

/** What was done, in a few words. */
export function useAuditText() {
  const { t } = useTranslation('audit');
  return ({ Action }: Pick<Entry, 'Action'>): string => t(`action.${Action}`);
}

/** The API client converts no times in free text, which these values are for it. */
const localTimeText = (utc: string): string =>
  JSON.parse(core().localizeResponse(JSON.stringify(utc), shownTimeZone()));

/** A place as the log has it: the country's code and the city's key. */
function cityText(place: string): string {
  const [country = '', city = ''] = place.split(' ');
  const language = currentLanguage();
  return placeText(core().cityName(city, language), core().countryName(country, language));
}

/** What became of a refund that was sent by hand. */
function outcomeOf(state: string): RefundProgress | undefined {
  if (state === ReturnState.Final) return RefundProgress.Arrived;
  return state === ReturnState.Undone ? RefundProgress.Failed : undefined;
}

/** A changed value in words. */
function useValueText() {
  const { t } = useTranslation(['audit', 'accounts', 'orders']);
  const levelText = useLevelText();
  const number = useNumber();
  return (field: Change['Field'], value: string): string => {
    switch (field) {
      case 'level':
        return levelText(Number(value));
      case 'role':
        return t(`accounts:level.${value as StaffRole}`);
      case 'discount':
        return core().displayPercent(Number(value));
      case 'invitation_code':
      case 'access_token':
        return t(`shown.${value as 'true' | 'false'}`);
      case 'adjustment':
        return t(`adjustment.${value as Adjustment}`);
      case 'review':
        return t(`review.${value as Schemas['ReferralReview']}`);
      case 'verdict':
        return t(`orders:verdict.${value as Schemas['Verdict']}`);
      case 'refunded_to':
        return t(`orders:method.${value as PaymentMethod}`);
      case 'state': {
        const outcome = outcomeOf(value);
        if (outcome) return t(`orders:refunds.progress.${outcome}`);
        return t(`webhookState.${value as Exclude<Schemas['WebhookState'], 'deleted'>}`);
      }
      case 'kind':
        return t(`serverKind.${value as ProxyServerKind}`);
      case 'valid_from':
      case 'valid_until':
        return localTimeText(value);
      case 'city':
        return cityText(value);
      case 'asn':
        return `AS${value}`;
      case 'first_order_only':
        return t('yes');
      case 'nodes':
      case 'uses_per_account':
      case 'total_uses':
        return number(Number(value));
      default:
        return value;
    }
  };
}

/** The reason of an entry with its title; the reason of a confirmed payment is what came of it. */
function useReasonText() {
  const { t } = useTranslation(['audit', 'orders']);
  return ({ Action, Reason }: Entry) =>
    Action === AuditAction.PaymentSettled
      ? { title: t('result'), text: t(`orders:verdict.${Reason as Schemas['Verdict']}`) }
      : { title: t('reason'), text: Reason };
}

/** Before and after in words; before is absent if there was nothing. */
function useBothTexts() {
  const { t } = useTranslation('audit');
  const valueText = useValueText();
  return ({ Field, Before, After }: Change) => ({
    before: Before ? valueText(Field, Before) : undefined,
    after: After ? valueText(Field, After) : t('none'),
  });
}

/** All changes of an entry, and its reason, in one line. */
export function useChangesLine() {
  const { t } = useTranslation(['audit', 'common']);
  const both = useBothTexts();
  const reasonText = useReasonText();
  return (entry: Entry): string => {
    const lines = entry.Changes.map((change) => {
      const { before, after } = both(change);
      const Value = before === undefined ? after : t('became', { Before: before, Arrow: '→', After: after });
      return t('common:labelled', { Label: t(`field.${change.Field}`), Value });
    });
    const reason = reasonText(entry);
    if (entry.Reason) lines.push(t('common:labelled', { Label: reason.title, Value: reason.text }));
    return lines.join(' · ');
  };
}

/** What an entry changed, and why. */
export function AuditChanges({ entry }: { entry: Entry }) {
  const { t } = useTranslation('common');
  const reason = useReasonText()(entry);
  if (entry.Changes.length === 0 && !entry.Reason) return null;
  return (
    <ul className={s.changes}>
      {entry.Changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the changes of an entry never change
        <li key={index}>
          <ChangeLine change={change} />
        </li>
      ))}
      {entry.Reason && (
        <li>
          <Clamped>{t('labelled', { Label: reason.title, Value: reason.text })}</Clamped>
        </li>
      )}
    </ul>
  );
}

/** Both values of a change stand in one paragraph up to this many characters. */
const SHORT = 100;

function ChangeLine({ change }: { change: Change }) {
  const { t } = useTranslation(['audit', 'common']);
  const { before, after } = useBothTexts()(change);
  const Label = t(`field.${change.Field}`);
  if (before === undefined) return <Clamped>{t('common:labelled', { Label, Value: after })}</Clamped>;
  const arrow = (
    <>
      <span aria-hidden="true">→</span>
      <span className="visually-hidden">{t('becomes')}</span>
    </>
  );
  const was = <del>{before}</del>;
  const is = <ins>{after}</ins>;
  const labelled = (value: ReactNode) =>
    fillText((marks) => t('common:labelled', { Label, ...marks }), { Value: value });
  if (before.length + after.length <= SHORT) {
    return (
      <Clamped>{labelled(fillText((marks) => t('became', marks), { Before: was, Arrow: arrow, After: is }))}</Clamped>
    );
  }
  return (
    <>
      <Clamped>{labelled(was)}</Clamped>
      <Clamped>
        {arrow} {is}
      </Clamped>
    </>
  );
}

/** Three lines of a text, and a button for the rest. */
function Clamped({ children }: { children: ReactNode }) {
  const { t } = useTranslation('audit');
  const text = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element || isOpen) return;
    const measure = () => setCut(element.scrollHeight > element.clientHeight);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [isOpen]);
  return (
    <div className={s.long} data-clamped={!isOpen || undefined}>
      <span ref={text}>{children}</span>
      {isCut && !isOpen && (
        <Button size="small" variant="ghost" onClick={() => setOpen(true)}>
          {t('showAll')}
        </Button>
      )}
    </div>
  );
}

interface AuditActorProps {
  entry: Entry;
  /** Without the API key or the system user. */
  isShort?: boolean;
}

/** The operator of an entry, with the API key or the system user. */
export function AuditActor({ entry: { Channel, Operator, Actor }, isShort = false }: AuditActorProps) {
  const { t } = useTranslation('audit');
  const isCommand = Channel === AuditChannel.Command;
  const by = isCommand ? t('actor.user', { Name: Actor }) : t('actor.apiKey', { Name: Actor });
  return (
    <span className={s.actor} data-lines="">
      <span>{isCommand ? t('actor.command') : (Operator ?? t('actor.unknown'))}</span>
      {Actor && !isShort && <small>{by}</small>}
    </span>
  );
}
