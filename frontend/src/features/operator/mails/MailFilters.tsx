// Search and filters above the list of mails.
import { useTranslation } from 'react-i18next';
import { MailState } from '@/core/constants.gen';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { TemplateOptions } from './TemplateOptions';

type Filters = Record<'Search' | 'State' | 'Template' | 'From' | 'To', string>;

interface MailFiltersProps {
  filters: Filters;
  onChange: (next: Partial<Filters>) => void;
}

export function MailFilters({ filters: { Search, State, Template, From, To }, onChange }: MailFiltersProps) {
  const { t } = useTranslation('mails');
  return (
    <>
      <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => onChange({ Search: text })} />
      <SelectField
        label={t('stateTitle')}
        hideLabel
        value={State}
        onChange={(event) => onChange({ State: event.target.value })}
      >
        <option value="">{t('allStates')}</option>
        {Object.values(MailState).map((state) => (
          <option key={state} value={state}>
            {t(`state.${state}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('mail')}
        hideLabel
        value={Template}
        onChange={(event) => onChange({ Template: event.target.value })}
      >
        <option value="">{t('allTemplates')}</option>
        <TemplateOptions />
      </SelectField>
      <DateRange label={t('range')} value={[From, To]} onChange={([from, to]) => onChange({ From: from, To: to })} />
    </>
  );
}
