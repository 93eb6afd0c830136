// Filters of the proxy list in a popover, with the active ones as removable tags.
import { Funnel, X } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownTargetsQuery } from '@/api/staticProxies';
import { core } from '@/core';
import { MOBILE_MAX_WIDTH, NodeState } from '@/core/constants.gen';
import { countriesWithCities } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { useGroups } from '@/stores/ips';
import { useCatalogue } from '@/stores/plan';
import { Button } from '@/ui/Button';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField, TextField } from '@/ui/Field';
import { Dialog, Popover } from '@/ui/Overlay';
import { useName } from '@/ui/texts';
import { useMedia } from '@/ui/useMedia';
import s from '../static.module.css';
import { useTierTexts } from '../tierTexts';
import local from './nodes.module.css';
import type { FilterKey, NodeFilterState } from './useNodeFilter';

const ENDS_WITHIN_DAYS = [1, 3, 7, 14, 30];

interface NodeFiltersProps {
  state: NodeFilterState;
  /** Whether rows are shown already: slow requests wait for them. */
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
  const trigger = (onClick?: () => void) => (
    <Button icon={<Funnel size={16} />} onClick={onClick}>
      {state.count > 0 ? t('common:withNote', { Text: t('list.filters'), Note: state.count }) : t('list.filters')}
    </Button>
  );
  return (
    <>
      <DebouncedSearch
        label={t('list.search')}
        value={state.search}
        onSearch={(text) => state.change({ Search: text })}
      />
      {isMobile ? (
        <>
          {trigger(() => setOpen(true))}
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
              <Fields state={state} />
            </div>
          </Dialog>
        </>
      ) : (
        <>
          <Popover label={t('list.filters')} trigger={trigger()} align="start">
            <div className={local.filterForm}>
              <Fields state={state} />
              <div className={local.filterActions}>{clear}</div>
            </div>
          </Popover>
          {state.count > 0 && <Chips state={state} isListShown={isListShown} />}
        </>
      )}
    </>
  );
}

interface FilterField {
  key: FilterKey;
  label: string;
  /** Label of the empty option. */
  any: string;
  options: { value: string; label: string }[];
  /** Whether several values can be active. */
  isMultiple?: boolean;
}

/** Values of a filter, separated by commas. */
const valuesOf = (value: string): string[] => value.split(',').filter(Boolean);

/** All filters with their options. */
function useFields(state: NodeFilterState, isWanted: boolean): FilterField[] {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const name = useName();
  const language = currentLanguage();
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const groups = useGroups(isWanted);
  const targets = useQuery({ ...ownTargetsQuery, enabled: isWanted });
  // None of the account's proxies has one.
  const hasTargets = targets.data?.length !== 0 || state.valueOf('Target') !== '';
  const chosenCountries = valuesOf(state.valueOf('Country'));
  const cities = useMemo(() => (isWanted ? core().cities() : []), [isWanted]);
  const countries = useMemo(
    () => (isWanted ? countriesWithCities(language).map(({ code, name: label }) => ({ value: code, label })) : []),
    [isWanted, language],
  );
  const ofCountry = cities
    .filter((city) => chosenCountries.includes(city.Country))
    .map((city) => ({ value: city.City, label: name({ en: city.NameEn, zh: city.NameZh }) }));
  return [
    {
      key: 'VerStr',
      label: t('list.tier'),
      any: t('list.allTiers'),
      options: (catalogue.data?.Tiers ?? []).map((tier) => ({ value: tier.VerStr, label: texts(tier).label })),
    },
    {
      key: 'State',
      label: t('list.state'),
      any: t('list.allStates'),
      options: [
        { value: NodeState.Assigned, label: t('nodeState.assigned') },
        { value: NodeState.Grace, label: t('nodeState.grace') },
      ],
    },
    { key: 'Country', label: t('list.country'), any: t('list.allCountries'), options: countries, isMultiple: true },
    { key: 'City', label: t('list.city'), any: t('list.allCities'), options: ofCountry },
    {
      key: 'EndsWithinDays',
      label: t('list.ends'),
      any: t('list.endsAny'),
      options: ENDS_WITHIN_DAYS.map((days) => ({ value: String(days), label: t('list.endsWithin', { count: days }) })),
    },
    {
      key: 'AutoRenew',
      label: t('list.autoRenew'),
      any: t('list.renewAny'),
      options: [
        { value: 'true', label: t('list.renewOn') },
        { value: 'false', label: t('list.renewOff') },
      ],
    },
    {
      key: 'GroupId',
      label: t('list.group'),
      any: t('list.allGroups'),
      options: [
        { value: '0', label: t('list.noGroup') },
        ...(groups.data ?? []).map((group) => ({ value: String(group.GroupId), label: group.Name })),
      ],
    },
    ...(hasTargets
      ? [
          {
            key: 'Target' as const,
            label: t('list.target'),
            any: t('list.allTargets'),
            options: (targets.data ?? []).map((target) => ({
              value: target.Target,
              label: t('common:withNote', {
                Text: name({ en: target.NameEn, zh: target.NameZh }),
                Note: target.NodeCount,
              }),
            })),
          },
        ]
      : []),
  ];
}

/** Cities depend on the country. */
const withoutOthers = (key: FilterKey, value: string) => ({ [key]: value, ...(key === 'Country' && { City: '' }) });

function Fields({ state }: { state: NodeFilterState }) {
  const { t } = useTranslation('static_residential_proxies');
  const fields = useFields(state, true);
  const order = state.valueOf('OrderNumber');
  const [typed, setTyped] = useState(order);
  const ask = () => typed.trim().toUpperCase() !== order && state.change({ OrderNumber: typed.trim().toUpperCase() });
  return (
    <>
      {fields.map((field) => (
        <FilterSelect
          key={field.key}
          field={field}
          value={state.valueOf(field.key)}
          onChange={(value) => state.change(withoutOthers(field.key, value))}
        />
      ))}
      <TextField
        label={t('list.order')}
        placeholder={t('list.orderPlaceholder')}
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={ask}
        onKeyDown={(event) => event.key === 'Enter' && ask()}
      />
    </>
  );
}

interface FilterSelectProps {
  field: FilterField;
  value: string;
  onChange: (value: string) => void;
}

/** A filter; with multiple values, each choice adds one, and the active ones are listed below. */
function FilterSelect({ field: { label, any, options, isMultiple }, value, onChange }: FilterSelectProps) {
  const { t } = useTranslation('static_residential_proxies');
  const chosen = isMultiple ? valuesOf(value) : [];
  const offered = options.filter((option) => !chosen.includes(option.value));
  const nameOf = (one: string) => options.find((option) => option.value === one)?.label ?? one;
  return (
    <div className={local.filter}>
      <SelectField
        label={label}
        value={isMultiple ? '' : value}
        disabled={options.length === 0}
        onChange={(event) => onChange(isMultiple ? [...chosen, event.target.value].join(',') : event.target.value)}
      >
        <option value="">{chosen.length > 0 ? t('list.addAnother') : any}</option>
        {offered.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
      {chosen.length > 0 && (
        <span className={local.chosen}>
          {chosen.map((one) => (
            <Button
              key={one}
              size="small"
              aria-label={t('list.clearFilter', { Filter: nameOf(one) })}
              onClick={() => onChange(chosen.filter((other) => other !== one).join(','))}
            >
              {nameOf(one)}
              <X size={13} aria-hidden="true" />
            </Button>
          ))}
        </span>
      )}
    </div>
  );
}

/** The active filters. */
function Chips({ state, isListShown }: NodeFiltersProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const fields = useFields(state, isListShown);
  const order = state.valueOf('OrderNumber');
  const chips = fields.flatMap(({ key, label, options, isMultiple }) => {
    const value = state.valueOf(key);
    if (!value) return [];
    const names = (isMultiple ? valuesOf(value) : [value]).map(
      (one) => options.find((option) => option.value === one)?.label ?? one,
    );
    return [{ key, text: t('common:labelled', { Label: label, Value: names.join(' · ') }) }];
  });
  if (order) chips.push({ key: 'OrderNumber', text: t('common:labelled', { Label: t('list.order'), Value: order }) });
  return (
    <span className={local.chips}>
      {chips.map(({ key, text }) => (
        <Button
          key={key}
          size="small"
          aria-label={t('list.clearFilter', { Filter: text })}
          onClick={() => state.change(withoutOthers(key, ''))}
        >
          {text}
          <X size={13} aria-hidden="true" />
        </Button>
      ))}
      {chips.length > 1 && (
        <Button size="small" variant="ghost" onClick={state.clear}>
          {t('list.clearFilters')}
        </Button>
      )}
    </span>
  );
}
