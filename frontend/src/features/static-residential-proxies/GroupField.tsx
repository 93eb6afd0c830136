// Chooses one of the account's groups, or adds one.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGroups } from '@/stores/ips';
import { SelectField } from '@/ui/Field';
import { GroupDialog } from './GroupDialog';

const NO_GROUP = 'none';
const NEW_GROUP = 'new';

interface GroupFieldProps {
  label: string;
  /** Null for no group. */
  value: number | null;
  onChange: (groupId: number | null) => void;
}

export function GroupField({ label, value, onChange }: GroupFieldProps) {
  const { t } = useTranslation('static_residential_proxies');
  const groups = useGroups();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <SelectField
        label={label}
        value={value ?? NO_GROUP}
        onChange={({ target }) => {
          if (target.value === NEW_GROUP) setAdding(true);
          else onChange(target.value === NO_GROUP ? null : Number(target.value));
        }}
      >
        <option value={NO_GROUP}>{t('group.none')}</option>
        {groups.data?.map((group) => (
          <option key={group.GroupId} value={group.GroupId}>
            {group.Name}
          </option>
        ))}
        <option value={NEW_GROUP}>{t('group.new')}</option>
      </SelectField>
      {isAdding && <GroupDialog onClose={() => setAdding(false)} onSaved={({ GroupId }) => onChange(GroupId)} />}
    </>
  );
}
