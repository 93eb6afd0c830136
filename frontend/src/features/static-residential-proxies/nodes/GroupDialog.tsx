// Creates or edits a group.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../static.module.css';
import { ColourDot } from './ColourDot';
import { GROUP_COLOURS } from './colours';
import room from './nodes.module.css';

interface GroupDialogProps {
  group?: Schemas['PlanGroup'] | undefined;
  onClose: () => void;
  onSaved?: (group: Schemas['PlanGroup']) => void;
}

export function GroupDialog({ group, onClose, onSaved }: GroupDialogProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const [name, setName] = useState(group?.Name ?? '');
  const [colour, setColour] = useState(group?.Colour ?? '');
  const [note, setNote] = useState(group?.Note ?? '');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    // Keeps the submit event from the form of the dialog underneath.
    event.stopPropagation();
    if (once.isBusy) return;
    const body = { Name: name.trim(), Colour: colour, Note: note.trim() };
    if (!errors.passes(core().validatePlanGroup(body))) return;
    try {
      const saved = await once.send([group?.GroupId, body], (options) =>
        group
          ? post('Ips/EditUserPlanGroup', { ...body, GroupId: group.GroupId }, options)
          : post('Ips/AddUserPlanGroup', body, options),
      );
      await queryClient.invalidateQueries({ queryKey: ['groups'] });
      queryClient.invalidateQueries({ queryKey: ['proxy-list'] });
      onSaved?.(saved);
      onClose();
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={group ? t('groups.editTitle') : t('groups.add')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={!name.trim()} loading={once.isBusy}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
        <TextField
          label={t('groups.name')}
          error={errors.textOf('Name')}
          value={name}
          onChange={(event) => {
            errors.clear('Name');
            setName(event.target.value);
          }}
        />
        <fieldset className={room.colours}>
          <legend>{t('groups.colour')}</legend>
          {GROUP_COLOURS.map(({ name: colourName, value }) => (
            <label key={colourName} title={t(`colour.${colourName}`)}>
              <input
                type="radio"
                name={`${formId}-colour`}
                checked={value === colour}
                onChange={() => setColour(value)}
              />
              <ColourDot colour={value} />
              <span className="visually-hidden">{t(`colour.${colourName}`)}</span>
            </label>
          ))}
        </fieldset>
        <TextField
          label={t('groups.note')}
          error={errors.textOf('Note')}
          value={note}
          onChange={(event) => {
            errors.clear('Note');
            setNote(event.target.value);
          }}
        />
      </form>
    </Dialog>
  );
}
