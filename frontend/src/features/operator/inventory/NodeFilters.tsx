// Search and filters above the list of nodes.
import { X } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { proxyServersQuery } from '@/api/operator';
import { core } from '@/core';
import { ProxyServerKind } from '@/core/constants.gen';
import { countriesWithCities } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useName } from '@/ui/texts';
import { type InventoryFilter, STATES } from './inventory';
import { useTiers } from './tiers';
import { useUseCases } from './useCases';

export function NodeFilters({ filters, change }: Pick<InventoryFilter, 'filters' | 'change'>) {
  const { t } = useTranslation('inventory');
  const { Search, State, VerStr, Country, City, Target, Supplier, ServerId, AccountId } = filters;
  const may = useMay();
  const found = useQuery({ ...proxyServersQuery, enabled: may('Operator/GetProxyServerList') });
  const servers = found.data?.filter(({ Kind }) => Kind === ProxyServerKind.Static) ?? [];
  return (
    <>
      <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
      <SelectField
        label={t('state')}
        hideLabel
        value={State}
        onChange={(event) => change({ State: event.target.value })}
      >
        <option value="">{t('allStates')}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {t(`states.${state}`)}
          </option>
        ))}
      </SelectField>
      <TierFilter value={VerStr} onChange={(verStr) => change({ VerStr: verStr })} />
      <PlaceFilters Country={Country} City={City} onChange={change} />
      <UseCaseFilter value={Target} onChange={(target) => change({ Target: target })} />
      {(servers.length > 0 || ServerId) && (
        <SelectField
          label={t('server')}
          hideLabel
          value={ServerId}
          onChange={(event) => change({ ServerId: event.target.value })}
        >
          <option value="">{t('allServers')}</option>
          {servers.map((server) => (
            <option key={server.ServerId} value={String(server.ServerId)}>
              {server.Name}
            </option>
          ))}
        </SelectField>
      )}
      {Supplier && (
        <Button
          icon={<X size={14} aria-hidden="true" />}
          title={t('removeSupplier')}
          onClick={() => change({ Supplier: '' })}
        >
          {t('onlySupplier', { Supplier })}
        </Button>
      )}
      {AccountId && (
        <Button
          icon={<X size={14} aria-hidden="true" />}
          title={t('removeAccount')}
          onClick={() => change({ AccountId: '' })}
        >
          {t('onlyAccount', { AccountId })}
        </Button>
      )}
    </>
  );
}

export function TierFilter({ value, onChange }: { value: string; onChange: (verStr: string) => void }) {
  const { t } = useTranslation('inventory');
  const { tiers } = useTiers();
  return (
    <SelectField label={t('tier')} hideLabel value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t('allTiers')}</option>
      {tiers.map(({ VerStr, label }) => (
        <option key={VerStr} value={VerStr}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

/** Left out of a shop without use cases. One that was deleted can still be in the address. */
function UseCaseFilter({ value, onChange }: { value: string; onChange: (target: string) => void }) {
  const { t } = useTranslation('inventory');
  const { useCases = [] } = useUseCases();
  if (useCases.length === 0 && !value) return null;
  const isUnknown = value !== '' && useCases.every(({ Target }) => Target !== value);
  return (
    <SelectField label={t('useCase')} hideLabel value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t('allUseCases')}</option>
      {useCases.map(({ Target, label }) => (
        <option key={Target} value={Target}>
          {label}
        </option>
      ))}
      {isUnknown && <option value={value}>{value}</option>}
    </SelectField>
  );
}

interface PlaceFiltersProps {
  Country: string;
  City: string;
  onChange: (place: { Country?: string; City: string }) => void;
}

/** The country, and a city in it. */
export function PlaceFilters({ Country, City, onChange }: PlaceFiltersProps) {
  const { t } = useTranslation('inventory');
  const name = useName();
  return (
    <>
      <SelectField
        label={t('country')}
        hideLabel
        value={Country}
        onChange={(event) => onChange({ Country: event.target.value, City: '' })}
      >
        <option value="">{t('allCountries')}</option>
        {countriesWithCities(currentLanguage()).map(({ code, name: label }) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </SelectField>
      {Country && (
        <SelectField
          label={t('city')}
          hideLabel
          value={City}
          onChange={(event) => onChange({ City: event.target.value })}
        >
          <option value="">{t('allCities')}</option>
          {core()
            .cities()
            .filter((city) => city.Country === Country)
            .map((city) => (
              <option key={city.City} value={city.City}>
                {name({ en: city.NameEn, zh: city.NameZh })}
              </option>
            ))}
        </SelectField>
      )}
    </>
  );
}
