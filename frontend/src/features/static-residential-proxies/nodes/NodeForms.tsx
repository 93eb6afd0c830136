// Forms of bulk changes: group, note, credentials, auto-renew.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeNodeAccount, editNodeNote, moveToGroup, setAutoRenew } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { RENEWAL_ATTEMPT_MINUTES } from '@/core/constants.gen';
import { useGroups } from '@/stores/ips';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { lengthsOfTime } from '@/ui/texts';
import { CredentialFields, KeepOldField, useCredentials } from '../CredentialFields';
import { GroupField } from '../GroupField';
import { BulkDialog } from './BulkDialog';
import type { ActionProps } from './bulkSelection';

export function MoveToGroup({ selection, onClose }: ActionProps) {
  const { t } = useTranslation('static_residential_proxies');
  const call = useCall(moveToGroup);
  const groups = useGroups();
  const [groupId, setGroupId] = useState(selection.rows[0]?.GroupId ?? null);
  const name = groups.data?.find((group) => group.GroupId === groupId)?.Name ?? '';
  return (
    <BulkDialog
      title={t('group.title', { count: selection.count })}
      selection={selection}
      submit={t('group.submit')}
      onClose={onClose}
      call={call}
      body={{ ...selection.body, GroupId: groupId }}
      done={(count) => (groupId === null ? t('group.out', { count }) : t('group.moved', { count, Group: name }))}
    >
      <GroupField label={t('group.choose')} value={groupId} onChange={setGroupId} />
    </BulkDialog>
  );
}

export function EditNote({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const call = useCall(editNodeNote);
  const notes = new Set(selection.rows.map((node) => node.Note));
  const [note, setNote] = useState(notes.size === 1 ? ([...notes][0] ?? '') : '');
  const body = { ...selection.body, Note: note.trim() };
  return (
    <BulkDialog
      title={t('note.title', { count: selection.count })}
      selection={selection}
      submit={t('common:save')}
      onClose={onClose}
      body={body}
      call={call}
      check={() => core().validateNodeNote(body.Note)}
      done={(count) => t(body.Note ? 'note.saved' : 'note.removed', { count })}
    >
      <TextField label={t('note.label')} hint={t('note.hint')} {...call.bind('Note', note, setNote)} />
    </BulkDialog>
  );
}

export function ChangeCredentials({ selection, onClose }: ActionProps) {
  const { t } = useTranslation('static_residential_proxies');
  const call = useCall(changeNodeAccount);
  const credentials = useCredentials(call.errors);
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
      body={body}
      call={call}
      check={() => (how === 'made' ? {} : credentials.broken())}
      done={(count) => t('credentials.done', { count })}
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
  const call = useCall(setAutoRenew);
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
      body={body}
      call={call}
      done={(count) => t(isOn ? 'autoRenew.turnedOn' : 'autoRenew.turnedOff', { count })}
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
