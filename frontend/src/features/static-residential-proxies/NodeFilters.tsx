// The filters over the proxy list: beside each other on a wide screen, behind a button on a phone.
import { Funnel, X } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { core } from '@/core';
import { MOBILE_MAX_WIDTH, NodeState } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { Dialog } from '@/ui/Overlay';
import { TypedSearch } from '@/ui/TypedSearch';
import { useName } from '@/ui/texts';
import { useMedia } from '@/ui/useMedia';
import s from './static.module.css';
import { useCatalogue, useTierTexts } from './useCatalogue';
import { useGroups } from './useGroups';
import type { FilterKey, NodeFilterState } from './useNodeFilter';

const ENDS_WITHIN_DAYS = [1, 3, 7, 14, 30];

interface NodeFiltersProps {
  state: NodeFilterState;
  /** Are there rows to see already? What takes its time waits for them. */
  isListShown: boolean;
}

export function NodeFilters({ state, isListShown }: NodeFiltersProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const [isOpen, setOpen] = useState(false);
  const clear = state.count > 0 && (
    <Button size="small" variant="ghost" icon={<X size={15} />} onClick={state.clear}>
      {t('list.clearFilters')}
    </Button>
  );
  return (
    <>
      <TypedSearch
        label={t('list.search')}
        value={state.search}
        onSearch={(text) => text !== state.search && state.change({ Search: text })}
      />
      {isMobile ? (
        <>
          <Button icon={<Funnel size={16} />} onClick={() => setOpen(true)}>
            {t('list.filters')}
            {state.count > 0 && ` (${state.count})`}
          </Button>
          <Dialog
            open={isOpen}
            onClose={() => setOpen(false)}
            title={t('list.filters')}
            actions={
              <>
                {clear}
                <Button variant="primary" onClick={() => setOpen(false)}>
                  {t('common:done')}
                </Button>
              </>
            }
          >
            <div className={s.form}>
              <Selects state={state} isListShown={isListShown} />
            </div>
          </Dialog>
        </>
      ) : (
        <>
          <Selects state={state} isListShown={isListShown} hideLabels />
          {clear}
        </>
      )}
    </>
  );
}

function Selects({ state, isListShown, hideLabels = false }: NodeFiltersProps & { hideLabels?: boolean }) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  const language = currentLanguage();
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const groups = useGroups(isListShown);
  const targets = useQuery({
    queryKey: ['own-targets'],
    queryFn: () => post('Ips/GetUserTargetList', undefined, { silent: true }),
    staleTime: 60_000,
    enabled: isListShown,
  });
  const country = state.valueOf('Country');
  const isFilled = isListShown || country !== '';
  const cities = useMemo(() => (isFilled ? core().cities() : []), [isFilled]);
  const countries = useMemo(
    () =>
      [...new Set(cities.map((city) => city.Country))]
        .map((code) => ({ code, label: core().countryName(code, language) }))
        .sort((one, other) => one.label.localeCompare(other.label, language)),
    [cities, language],
  );
  const field = (key: FilterKey, label: string, any: string, options: { value: string; label: string }[]) => (
    <SelectField
      label={label}
      hideLabel={hideLabels}
      value={state.valueOf(key)}
      // Another country has other cities.
      onChange={(event) => state.change({ [key]: event.target.value, ...(key === 'Country' && { City: '' }) })}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
  return (
    <>
      {field(
        'VerStr',
        t('list.tier'),
        t('list.allTiers'),
        (catalogue.data?.Tiers ?? []).map((tier) => ({ value: tier.VerStr, label: texts(tier).label })),
      )}
      {field(
        'Country',
        t('list.country'),
        t('list.allCountries'),
        countries.map(({ code, label }) => ({ value: code, label })),
      )}
      {country &&
        field(
          'City',
          t('list.city'),
          t('list.allCities'),
          cities
            .filter((city) => city.Country === country)
            .map((city) => ({ value: city.City, label: name({ en: city.NameEn, zh: city.NameZh }) })),
        )}
      {field('State', t('list.state'), t('list.allStates'), [
        { value: NodeState.Assigned, label: t('nodeState.assigned') },
        { value: NodeState.Grace, label: t('nodeState.grace') },
      ])}
      {field('GroupId', t('list.group'), t('list.allGroups'), [
        { value: '0', label: t('list.noGroup') },
        ...(groups.data ?? []).map((group) => ({ value: String(group.GroupId), label: group.Name })),
      ])}
      {field(
        'Target',
        t('list.target'),
        t('list.allTargets'),
        (targets.data ?? []).map((target) => ({
          value: target.Target,
          label: `${name({ en: target.NameEn, zh: target.NameZh })} (${target.NodeCount})`,
        })),
      )}
      {field(
        'EndsWithinDays',
        t('list.ends'),
        t('list.endsAny'),
        ENDS_WITHIN_DAYS.map((days) => ({ value: String(days), label: t('list.endsWithin', { count: days }) })),
      )}
      {field('AutoRenew', t('list.autoRenew'), t('list.renewAny'), [
        { value: 'true', label: t('list.renewOn') },
        { value: 'false', label: t('list.renewOff') },
      ])}
    </>
  );
}
