// Saved generator settings: apply, save and delete presets.
import { BookmarkSimple, FloppyDisk, Trash } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deletePreset, type EndpointSettings, presetsQuery, savePreset } from '@/api/endpoints';
import { useCall } from '@/api/useCall';
import { PRESET_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { Entry, EntryList } from '@/ui/EntryList';
import { TextField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from './generator.module.css';
import { useSummary } from './useSummary';

interface PresetsProps {
  current: EndpointSettings;
  onApply: (settings: EndpointSettings) => void;
}

export function PresetsMenu(props: PresetsProps) {
  const { t } = useTranslation('generator');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<BookmarkSimple size={17} />} onClick={() => setOpen(true)}>
        {t('presets.button')}
      </Button>
      {isOpen && <PresetsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function PresetsDialog({ current, onApply, onClose }: PresetsProps & { onClose: () => void }) {
  const { t } = useTranslation(['generator', 'common']);
  const save = useCall(savePreset);
  const remove = useCall(deletePreset);
  const { errors } = save;
  const summary = useSummary();
  const [name, setName] = useState('');
  const presets = useQuery(presetsQuery);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const Name = name.trim();
    const onDone = () => {
      setName('');
      showToast(t('presets.saved', { Name }), 'success');
    };
    return save.submit(event, { body: { Name, Settings: current }, onDone });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('presets.title')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <form className={s.inline} onSubmit={submit} noValidate>
          <TextField
            label={t('presets.name')}
            hint={t('presets.hint')}
            error={errors.textOf('Name') ?? errors.textOf('Settings') ?? errors.textOf('Template')}
            autoComplete="off"
            maxLength={PRESET_NAME_MAX_LENGTH}
            value={name}
            onChange={(event) => {
              errors.set({});
              setName(event.target.value);
            }}
          />
          <Button type="submit" icon={<FloppyDisk size={16} />} disabled={!name.trim()} loading={save.isBusy}>
            {t('presets.save')}
          </Button>
        </form>
        {presets.isError && !presets.data && <ErrorState error={presets.error} onRetry={() => presets.refetch()} />}
        {presets.isPending && <LoadingState rows={3} />}
        {presets.data?.length === 0 && <p className={s.soft}>{t('presets.empty')}</p>}
        {presets.data && presets.data.length > 0 && (
          <EntryList label={t('presets.title')}>
            {presets.data.map((preset) => (
              <Entry key={preset.PresetId} name={<strong>{preset.Name}</strong>} note={summary(preset.Settings)}>
                <Button
                  size="small"
                  aria-label={t('presets.useNamed', { Name: preset.Name })}
                  onClick={() => {
                    onApply(preset.Settings);
                    onClose();
                  }}
                >
                  {t('presets.use')}
                </Button>
                <IconButton
                  size="small"
                  label={t('presets.delete', { Name: preset.Name })}
                  disabled={save.isBusy || remove.isBusy}
                  onClick={() => remove.run({ PresetId: preset.PresetId })}
                >
                  <Trash size={16} />
                </IconButton>
              </Entry>
            ))}
          </EntryList>
        )}
      </div>
    </Dialog>
  );
}
