// Forms of bulk changes: group, note, credentials, auto-renew.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { core } from '@/core';
import { RENEWAL_ATTEMPT_MINUTES } from '@/core/constants.gen';
import { useGroups } from '@/stores/ips';
import { OptionList } from '@/ui/Controls';
import { SelectField, TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { lengthsOfTime } from '@/ui/texts';
import { CredentialFields, KeepOldField, useCredentials } from '../CredentialFields';
import { BulkDialog } from './BulkDialog';
import type { ActionProps } from './bulkSelection';
import { GroupDialog } from './GroupDialog';

const NO_GROUP = 'none';
const NEW_GROUP = 'new';

export function MoveToGroup({ selection, onClose }: ActionProps) {
  const { t } = useTranslation('static_residential_proxies');
  const groups = useGroups();
  const [choice, setChoice] = useState(String(selection.rows[0]?.GroupId ?? NO_GROUP));
  const [isAdding, setAdding] = useState(false);
  const asked = choice === NO_GROUP ? { ...selection.body, out: true } : { ...selection.body, GroupId: Number(choice) };
  return (
    <>
      <BulkDialog
        title={t('group.title', { count: selection.count })}
        selection={selection}
        submit={t('group.submit')}
        onClose={onClose}
        asked={asked}
        call={(once) =>
          choice === NO_GROUP
            ? post('Ips/ClearUserPlanGroup', selection.body, once)
            : post('Ips/AddToGroup', { ...selection.body, GroupId: Number(choice) }, once)
        }
      >
        <SelectField
          label={t('group.choose')}
          value={choice}
          onChange={(event) => (event.target.value === NEW_GROUP ? setAdding(true) : setChoice(event.target.value))}
        >
          <option value={NO_GROUP}>{t('group.none')}</option>
          {groups.data?.map((group) => (
            <option key={group.GroupId} value={group.GroupId}>
              {group.Name}
            </option>
          ))}
          <option value={NEW_GROUP}>{t('group.new')}</option>
        </SelectField>
      </BulkDialog>
      {isAdding && (
        <GroupDialog onClose={() => setAdding(false)} onSaved={(group) => setChoice(String(group.GroupId))} />
      )}
    </>
  );
}

export function EditNote({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const errors = useFieldErrors();
  const notes = new Set(selection.rows.map((node) => node.Note));
  const [note, setNote] = useState(notes.size === 1 ? ([...notes][0] ?? '') : '');
  const body = { ...selection.body, Note: note.trim() };
  return (
    <BulkDialog
      title={t('note.title', { count: selection.count })}
      selection={selection}
      submit={t('common:save')}
      onClose={onClose}
      asked={body}
      check={() => errors.passes(core().validateNodeNote(body.Note))}
      call={(once) => post('Ips/EditNodeNote', body, once)}
      onError={errors.takeFrom}
    >
      <TextField
        label={t('note.label')}
        hint={t('note.hint')}
        error={errors.textOf('Note')}
        value={note}
        onChange={(event) => {
          errors.clear('Note');
          setNote(event.target.value);
        }}
      />
    </BulkDialog>
  );
}

export function ChangeCredentials({ selection, onClose }: ActionProps) {
  const { t } = useTranslation('static_residential_proxies');
  const credentials = useCredentials();
  const [how, setHow] = useState<'made' | 'own'>('made');
  const body = {
    ...selection.body,
    ...(how === 'own' ? credentials.account : { Generate: true }),
    KeepOldHours: credentials.keepOldHours,
  };
  return (
    <BulkDialog
      title={t('credentials.title', { count: selection.count })}
      selection={selection}
      submit={t('credentials.submit')}
      canSubmit={how === 'made' || !credentials.isEmpty}
      onClose={onClose}
      asked={body}
      check={() => how === 'made' || credentials.passes()}
      call={(once) => post('Ips/UserEditNodeAccount', body, once)}
      onError={credentials.takeFrom}
    >
      <OptionList
        label={t('credentials.how')}
        value={how}
        onChange={setHow}
        options={[
          { value: 'made', label: t('credentials.generate'), hint: t('credentials.generateHint') },
          { value: 'own', label: t('credentials.own'), hint: t('credentials.ownHint') },
        ]}
      />
      {how === 'own' && <CredentialFields credentials={credentials} />}
      <KeepOldField credentials={credentials} />
    </BulkDialog>
  );
}

export function SetAutoRenew({ selection, onClose }: ActionProps) {
  const { t, i18n } = useTranslation(['static_residential_proxies', 'common']);
  const [isOn, setOn] = useState(!selection.rows.length || selection.rows.some((node) => !node.AutoRenew));
  // The last attempt is at expiry itself.
  const attempts = RENEWAL_ATTEMPT_MINUTES.filter((minutes) => minutes > 0);
  const body = { ...selection.body, AutoRenew: isOn };
  return (
    <BulkDialog
      title={t('autoRenew.title', { count: selection.count })}
      selection={selection}
      submit={t('common:save')}
      onClose={onClose}
      asked={body}
      call={(once) => post('Ips/SetAutoRenew', body, once)}
    >
      <OptionList
        label={t('list.autoRenew')}
        value={isOn ? 'on' : 'off'}
        onChange={(value) => setOn(value === 'on')}
        options={[
          {
            value: 'on',
            label: t('autoRenew.on'),
            hint: t('autoRenew.onHint', { Times: lengthsOfTime(attempts, i18n.language) }),
          },
          { value: 'off', label: t('autoRenew.off'), hint: t('autoRenew.offHint') },
        ]}
      />
    </BulkDialog>
  );
}
