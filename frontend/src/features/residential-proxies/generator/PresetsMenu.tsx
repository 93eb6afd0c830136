// Saved generator settings: apply, save and delete presets.
import { BookmarkSimple, FloppyDisk, Trash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { EndpointPreset, EndpointSettings } from '@/api/proxyUsers';
import { PRESET_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { Entry, EntryList } from '@/ui/EntryList';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './generator.module.css';
import { useSummary } from './useSummary';

const KEY = ['endpoint-presets'];

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
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const summary = useSummary();
  const [name, setName] = useState('');
  const presets = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => post('Endpoints/GetPresetList', undefined, { signal, silent: true }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy || !name.trim()) return;
    const body = { Name: name.trim(), Settings: current };
    try {
      await once.send(body, (options) => post('Endpoints/SavePreset', body, options));
      setName('');
      showToast(t('presets.saved', { Name: body.Name }), 'success');
      await queryClient.invalidateQueries({ queryKey: KEY });
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  const remove = async ({ PresetId }: EndpointPreset) => {
    const body = { PresetId };
    try {
      await once.send(body, (options) => post('Endpoints/DeletePreset', body, options));
    } catch {
      // The API client has shown the error toast; the list is refetched.
    }
    await queryClient.invalidateQueries({ queryKey: KEY });
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
        <form id={formId} className={s.inline} onSubmit={save} noValidate>
          <TextField
            label={t('presets.name')}
            hint={t('presets.hint')}
            error={errors.textOf('Name') ?? errors.textOf('Settings')}
            autoComplete="off"
            maxLength={PRESET_NAME_MAX_LENGTH}
            value={name}
            onChange={(event) => {
              errors.set({});
              setName(event.target.value);
            }}
          />
          <Button type="submit" icon={<FloppyDisk size={16} />} disabled={!name.trim()} loading={once.isBusy}>
            {t('presets.save')}
          </Button>
        </form>
        {presets.isError && !presets.data && <ErrorState onRetry={() => presets.refetch()} />}
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
                  disabled={once.isBusy}
                  onClick={() => remove(preset)}
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
