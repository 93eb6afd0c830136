// Adds a use case, or changes one.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveUseCase } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './inventory.module.css';
import type { Placed } from './useCases';

const EMPTY = { NameEn: '', NameZh: '', Target: '', Category: '', Position: '' };
type Field = keyof typeof EMPTY;

/** A Chinese name that only repeats the English one is left empty, so that it follows it. */
const formOf = ({ NameEn, NameZh, Target, Category }: Placed): typeof EMPTY => ({
  NameEn,
  NameZh: NameZh === NameEn ? '' : NameZh,
  Target,
  Category,
  Position: '',
});

interface UseCaseDialogProps {
  /** Without it, a new one. */
  useCase?: Placed;
  onClose: () => void;
}

export function UseCaseDialog({ useCase, onClose }: UseCaseDialogProps) {
  const { t } = useTranslation('inventory');
  const name = useName();
  const call = useCall(saveUseCase);
  const [form, setForm] = useState(useCase ? formOf(useCase) : EMPTY);
  const bind = (field: Field) => ({
    autoComplete: 'off',
    ...call.bind(field, form[field], (typed) => setForm((now) => ({ ...now, [field]: typed }))),
  });
  const asKey = { autoCapitalize: 'none', spellCheck: false };
  const told = () => {
    const Name = name({ en: form.NameEn.trim(), zh: form.NameZh.trim() || form.NameEn.trim() });
    showToast(t(useCase ? 'useCases.change.done' : 'useCases.add.done', { Name }), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={
        useCase
          ? t('useCases.change.title', { Name: name({ en: useCase.NameEn, zh: useCase.NameZh }) })
          : t('useCases.add.title')
      }
      action={useCase ? t('edit.submit') : t('useCases.add.submit')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateUseCase(form),
          body: { IsNew: !useCase, ...form },
          onDone: told,
        })
      }
      onClose={onClose}
    >
      <TextField label={t('useCases.nameEn')} {...bind('NameEn')} />
      <TextField label={t('useCases.nameZh')} hint={t('useCases.nameZhHint')} {...bind('NameZh')} />
      {useCase ? (
        <TextField label={t('useCases.key')} hint={t('useCases.keyStays')} readOnly value={form.Target} />
      ) : (
        <TextField label={t('useCases.key')} hint={t('useCases.keyHint')} {...asKey} {...bind('Target')} />
      )}
      <TextField label={t('useCases.category')} hint={t('useCases.categoryHint')} {...asKey} {...bind('Category')} />
      <TextField
        label={t('useCases.position')}
        hint={t(useCase ? 'useCases.positionStays' : 'useCases.positionHint')}
        inputMode="numeric"
        placeholder={useCase && String(useCase.Position)}
        {...bind('Position')}
      />
    </FormDialog>
  );
}
