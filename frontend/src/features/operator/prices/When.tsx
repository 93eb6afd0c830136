// From when a change counts: now, or from a later time.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sender } from '@/api/useCall';
import type { FieldErrors } from '@/core';
import { OptionList } from '@/ui/Controls';
import { DateTimeField } from '@/ui/DateTimeField';
import { fieldOnWire, readField } from '@/ui/wireTime';

type Choice = 'now' | 'later';

const MISSING: FieldErrors = { ValidFrom: [{ Rule: 'required', Params: {} }] };

export function useWhen() {
  const [choice, choose] = useState<Choice>('now');
  const [typed, type] = useState('');
  const isLater = choice === 'later';
  const validFrom = isLater ? fieldOnWire(typed) : '';
  return {
    choice,
    choose,
    typed,
    type,
    isLater,
    /** In UTC; empty for now. */
    validFrom,
    /** Whether it is a time. */
    isTime: isLater && readField(typed) !== undefined,
    /** An empty time would mean now. */
    broken: isLater && validFrom === '' ? MISSING : undefined,
  };
}

interface WhenProps<Body, Answer> {
  when: ReturnType<typeof useWhen>;
  /** What it means that the change counts from now. */
  nowHint: string;
  call: Sender<Body, Answer>;
}

export function When<Body, Answer>({ when, nowHint, call }: WhenProps<Body, Answer>) {
  const { t } = useTranslation('prices');
  return (
    <>
      <OptionList<Choice>
        label={t('when.label')}
        value={when.choice}
        onChange={(chosen) => {
          call.errors.set({});
          call.forgetRefusal();
          when.choose(chosen);
        }}
        options={[
          { value: 'now', label: t('when.now'), hint: nowHint },
          { value: 'later', label: t('when.later'), hint: t('when.laterHint') },
        ]}
      />
      {when.isLater && <DateTimeField label={t('when.time')} {...call.bind('ValidFrom', when.typed, when.type)} />}
    </>
  );
}
