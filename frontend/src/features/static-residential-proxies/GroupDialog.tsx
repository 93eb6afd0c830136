// Creates or edits a group.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { addGroup, editGroup } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { ColourDot } from './ColourDot';
import { GROUP_COLOURS } from './colours';
import local from './groups.module.css';
import s from './static.module.css';

interface GroupDialogProps {
  group?: Schemas['PlanGroup'] | undefined;
  onClose: () => void;
  onSaved?: (group: Schemas['PlanGroup']) => void;
}

export function GroupDialog({ group, onClose, onSaved }: GroupDialogProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const add = useCall(addGroup);
  const edit = useCall(editGroup);
  const call = group ? edit : add;
  const id = useId();
  const [name, setName] = useState(group?.Name ?? '');
  const [colour, setColour] = useState(group?.Colour ?? '');
  const [note, setNote] = useState(group?.Note ?? '');
  const save = async (event: FormEvent<HTMLFormElement>) => {
    const body = { Name: name.trim(), Colour: colour, Note: note.trim() };
    const broken = core().validatePlanGroup(body);
    const saved = group
      ? await edit.submit(event, { broken, body: { ...body, GroupId: group.GroupId } })
      : await add.submit(event, { broken, body });
    if (!saved) return;
    onSaved?.(saved);
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={group ? t('groups.editTitle') : t('groups.add')}
      action={t('common:save')}
      disabled={!name.trim()}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={t('groups.name')} {...call.bind('Name', name, setName)} />
      <fieldset className={local.colours}>
        <legend>{t('groups.colour')}</legend>
        {GROUP_COLOURS.map(({ name: colourName, value }) => (
          <label key={colourName} title={t(`colour.${colourName}`)}>
            <input type="radio" name={`${id}-colour`} checked={value === colour} onChange={() => setColour(value)} />
            <ColourDot colour={value} />
            <span className="visually-hidden">{t(`colour.${colourName}`)}</span>
          </label>
        ))}
      </fieldset>
      <TextField label={t('groups.note')} {...call.bind('Note', note, setNote)} />
    </FormDialog>
  );
}
