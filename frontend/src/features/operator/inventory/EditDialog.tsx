// Edits one node or several, and what they are good for: what is left empty stays as it is.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reached } from '@/api/calls';
import { editNodes, type InventoryNode } from '@/api/inventory';
import { useInPieces } from '@/api/useInPieces';
import { PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useCatalogue } from '@/stores/plan';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './inventory.module.css';
import { type Choice, UseCaseChoices } from './UseCaseChoices';
import { useUseCases } from './useCases';
import { type ChangeDialogProps, useChangeDialog } from './useChangeDialog';

const EMPTY = { HttpPort: '', Socks5Port: '', Country: '', City: '', Isp: '', Asn: '', Supplier: '', Cost: '' };
type Field = keyof typeof EMPTY;

export function EditDialog(props: ChangeDialogProps) {
  const { t } = useTranslation('inventory');
  const { nodes, all } = props.chosen;
  const current = useCurrent(nodes);
  const currency = useCatalogue().data?.Currency ?? '';
  const [form, setForm] = useState(EMPTY);
  const { useCases = [] } = useUseCases();
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({});
  const targetsWith = (choice: Choice) =>
    useCases.map(({ Target }) => Target).filter((target) => chosen[target] === choice);
  const [AddTargets, RemoveTargets] = [targetsWith('add'), targetsWith('remove')];
  const isAnyChosen = AddTargets.length + RemoveTargets.length > 0;
  const call = useInPieces(editNodes, {
    ...props.chosen.body,
    ...form,
    ...(AddTargets.length > 0 && { AddTargets }),
    ...(RemoveTargets.length > 0 && { RemoveTargets }),
  });
  const dialog = useChangeDialog('edit', call, props);
  const owned = nodes.filter(({ AccountId }) => AccountId).length;
  const tooMany = call.errors.textOf('NodeIds');
  const bind = (field: Field) => ({
    autoComplete: 'off',
    spellCheck: false,
    placeholder: current(field),
    ...call.bind(field, form[field], (typed) => {
      // Country and city are one place, which is validated as a whole.
      if (field === 'Country') call.errors.clear('City');
      if (field === 'City') call.errors.clear('Country');
      setForm({ ...form, [field]: typed });
    }),
  });
  const told = ({ changed }: Reached) => {
    showToast(t('edit.done', { count: changed }), 'success');
    props.onDone();
    props.onClose();
  };
  return (
    <FormDialog
      {...dialog}
      disabled={!isAnyChosen && Object.values(form).every((typed) => !typed.trim())}
      className={s.form}
      onSubmit={(event) => call.submit(event, told)}
    >
      <p className={s.soft}>{t('edit.hint')}</p>
      <div className={s.columns}>
        <TextField label={t('edit.httpPort')} inputMode="numeric" {...bind('HttpPort')} />
        <TextField
          label={t('edit.socks5Port')}
          hint={t('edit.socks5Hint', { Zero: '0' })}
          inputMode="numeric"
          {...bind('Socks5Port')}
        />
        <TextField label={t('country')} {...bind('Country')} />
        <TextField label={t('city')} hint={t('edit.placeHint')} {...bind('City')} />
        <TextField label={t('isp')} {...bind('Isp')} />
        <TextField label={t('asn')} {...bind('Asn')} />
        <TextField label={t('supplier')} {...bind('Supplier')} />
        <TextField
          label={t('edit.costIn', { Currency: nodes[0]?.Currency ?? currency })}
          hint={t('edit.costHint', { Days: PRICE_PERIOD_DAYS })}
          inputMode="decimal"
          {...bind('Cost')}
        />
      </div>
      {useCases.length > 0 && (
        <UseCaseChoices
          useCases={useCases}
          nodes={nodes}
          chosen={chosen}
          error={call.errors.textOf('AddTargets') ?? call.errors.textOf('RemoveTargets')}
          onChoose={(target, choice) => {
            call.errors.clear('AddTargets');
            call.errors.clear('RemoveTargets');
            setChosen((now) => ({ ...now, [target]: choice }));
          }}
        />
      )}
      {(all || owned > 0) && (
        <Notice tone="warn">{all ? t('edit.ownedAll') : t('edit.owned', { count: owned })}</Notice>
      )}
      {tooMany && <Notice tone="bad">{tooMany}</Notice>}
    </FormDialog>
  );
}

/** The current value of a field, if all nodes have the same. */
function useCurrent(nodes: InventoryNode[]) {
  const { t } = useTranslation('inventory');
  const name = useName();
  const shown: Record<Field, (node: InventoryNode) => string> = {
    HttpPort: (node) => String(node.HttpPort),
    Socks5Port: (node) => String(node.Socks5Port ?? 0),
    Country: (node) => name({ en: node.CountryNameEn, zh: node.CountryNameZh }),
    City: (node) => name({ en: node.CityNameEn, zh: node.CityNameZh }),
    Isp: (node) => node.Isp,
    Asn: (node) => String(node.Asn),
    Supplier: (node) => node.Supplier,
    Cost: (node) => node.Cost,
  };
  return (field: Field) => {
    const [value = '', ...others] = new Set(nodes.map(shown[field]));
    return others.length > 0 ? t('edit.different') : value;
  };
}
