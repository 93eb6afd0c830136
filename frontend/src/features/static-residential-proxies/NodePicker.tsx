// Picks individual IPs of a tier that are in stock. Their last octet is masked.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { loadPurchasable, PURCHASABLE } from '@/api/staticProxies';
import { type Currency, core } from '@/core';
import { countriesWithCities } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { type Column, DataGrid, type Selection } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { PriceText, useName } from '@/ui/texts';
import { Place } from './Place';

type Purchasable = Schemas['PurchasableNode'];

const STOCK_REFRESH_MS = 10_000;

interface NodePickerProps {
  verStr: string;
  target?: string;
  currency: Currency;
  /** Wholesale discount in hundredths of a percent. */
  discount?: number;
  /** Initial location, in dialogs; otherwise it is in the address. */
  initial?: { Country: string; City: string };
  one?: boolean;
  value: Selection<Purchasable>;
  onChange: (value: Selection<Purchasable>) => void;
  visibleRows?: number;
  /** Additional filters. */
  filters?: ReactNode;
}

const nodeKey = (node: Schemas['PurchasableNode']) => String(node.NodeId);

export function NodePicker({
  verStr,
  target,
  currency,
  discount = 0,
  initial,
  one,
  value,
  onChange,
  visibleRows,
  filters,
}: NodePickerProps) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  const language = currentLanguage();
  const [{ Country, City, Search }, change] = useFilters(['Country', 'City', 'Search'], initial);
  const cities = core().cities();
  const countries = countriesWithCities(language);
  const filter = {
    VerStr: verStr,
    ...(Country && { Country }),
    ...(City && { City }),
    ...(target && { Target: target }),
  };
  const columns: Column<Purchasable>[] = [
    { field: 'Ip', title: t('list.ip'), width: 128, cell: (node) => <code>{node.Ip}</code> },
    {
      field: 'City',
      title: t('list.place'),
      width: 188,
      flex: 1,
      sortable: true,
      cell: (node) => <Place node={node} name={name} />,
    },
    { field: 'Isp', title: t('list.isp'), width: 168, sortable: true, cell: (node) => node.Isp },
    { field: 'Asn', title: t('order.asn'), width: 98, cell: (node) => `AS${node.Asn}` },
    {
      field: 'Price',
      title: t('switch.cost'),
      width: 92,
      align: 'right',
      cell: (node) => <PriceText listPrice={node.Price} currency={currency} basisPoints={discount} />,
    },
  ];
  return (
    <DataGrid<Purchasable>
      name={PURCHASABLE}
      label={t('order.exact')}
      columns={columns}
      rowId={nodeKey}
      filters={{ Country, City, Target: target ?? '', Search }}
      queryKey={verStr}
      isInDialog={initial !== undefined}
      load={(page, options) => loadPurchasable({ Search, Filter: filter })(page, { ...options, silent: true })}
      refetchInterval={STOCK_REFRESH_MS}
      visibleRows={visibleRows ?? 10}
      selection={{ value, onChange, nameOf: (node) => node.Ip, ...(one && { one }) }}
      toolbar={
        <>
          <DebouncedSearch
            label={t('order.searchExact')}
            value={Search}
            onSearch={(text) => change({ Search: text })}
          />
          <SelectField
            label={t('list.country')}
            hideLabel
            value={Country}
            onChange={(event) => change({ Country: event.target.value, City: '' })}
          >
            <option value="">{t('order.anyCountry')}</option>
            {countries.map(({ code, name: label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </SelectField>
          {Country && (
            <SelectField
              label={t('list.city')}
              hideLabel
              value={City}
              onChange={(event) => change({ City: event.target.value })}
            >
              <option value="">{t('order.anyCity')}</option>
              {cities
                .filter((one) => one.Country === Country)
                .map((one) => (
                  <option key={one.City} value={one.City}>
                    {name({ en: one.NameEn, zh: one.NameZh })}
                  </option>
                ))}
            </SelectField>
          )}
          {filters}
        </>
      }
      card={(node) => (
        <RowCard>
          <RowLine>
            <code>{node.Ip}</code>
            <span>
              <PriceText listPrice={node.Price} currency={currency} basisPoints={discount} />
            </span>
          </RowLine>
          <RowLine soft>
            <Place node={node} name={name} />
          </RowLine>
          <RowLine soft>
            <span>{node.Isp}</span>
            <span>AS{node.Asn}</span>
          </RowLine>
        </RowCard>
      )}
      empty={<EmptyState title={t('order.noneLeft')}>{t('order.noneLeftHint')}</EmptyState>}
    />
  );
}
