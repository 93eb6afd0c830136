// Coupons for operators: terms, uses and state, to add and to end.
import { Plus } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COUPONS, type CouponView, loadCoupons } from '@/api/prices';
import { CouponState } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import type { Tone } from '@/ui/Notice';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { AddDialog } from './AddDialog';
import s from './coupons.module.css';
import { useCouponTexts } from './couponTexts';
import { EndDialog } from './EndDialog';

const TONES: Record<CouponState, Tone> = { planned: 'accent', usable: 'good', ended: 'neutral' };

export function CouponsPage() {
  const { t } = useTranslation('coupons');
  const texts = useCouponTexts();
  const [filters, change] = useFilters(['Search', 'State']);
  const may = useMay();
  const mayEnd = may('Operator/EndCoupon');
  const [isAdding, setAdding] = useState(false);
  const [ending, setEnding] = useState<CouponView>();
  const { Search, State } = filters;
  const add = may('Operator/AddCoupon') && (
    <Button variant="primary" icon={<Plus size={17} aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('add.open')}
    </Button>
  );
  const code = ({ Coupon: { Code } }: CouponView) => (
    <span className={s.copied}>
      <code>{Code}</code>
      <CopyButton text={Code} label={t('copyOf', { Code })} />
    </span>
  );
  const state = (row: CouponView) => <Badge tone={TONES[row.State]}>{t(`state.${row.State}`)}</Badge>;
  const end = (row: CouponView) =>
    mayEnd &&
    row.State !== CouponState.Ended && (
      <Button
        size="small"
        variant="danger"
        aria-label={t('end.of', { Code: row.Coupon.Code })}
        onClick={() => setEnding(row)}
      >
        {t('end.open')}
      </Button>
    );
  const conditions = ({ Coupon }: CouponView) => texts.conditions(Coupon).join(' · ');
  const columns: Column<CouponView>[] = [
    { field: 'Code', title: t('code'), width: 190, flex: 1, always: true, cell: code },
    { field: 'Benefit', title: t('discount'), width: 110, align: 'right', cell: (row) => texts.benefit(row.Coupon) },
    {
      field: 'Minimum',
      title: t('minimum'),
      width: 130,
      align: 'right',
      cell: (row) => texts.minimum(row.Coupon) ?? '–',
    },
    { field: 'Products', title: t('products'), width: 190, flex: 1, cell: (row) => texts.products(row.Coupon) },
    {
      field: 'Uses',
      title: t('usesTitle'),
      width: 210,
      cell: (row) => (
        <span className={s.lines} data-lines="">
          <span>{texts.uses(row)}</span>
          {conditions(row) && <small>{conditions(row)}</small>}
        </span>
      ),
    },
    { field: 'State', title: t('stateTitle'), width: 120, cell: state },
    {
      field: 'ValidFrom',
      title: t('validFrom'),
      width: 174,
      optional: 'room',
      cell: (row) => <DateText value={row.Coupon.ValidFrom} />,
    },
    {
      field: 'ValidUntil',
      title: t('validUntil'),
      width: 174,
      cell: (row) => <DateText value={row.Coupon.ValidUntil} />,
    },
    {
      field: 'CreatedAt',
      title: t('createdAt'),
      width: 174,
      optional: true,
      cell: (row) => <DateText value={row.CreatedAt} />,
    },
    ...(mayEnd
      ? [{ field: 'Actions', title: t('actions'), width: 100, pinned: 'right' as const, always: true, cell: end }]
      : []),
  ];
  return (
    <Page wide title={t('title')} description={t('lead')} actions={add}>
      <DataGrid<CouponView>
        name={COUPONS}
        label={t('title')}
        columns={columns}
        rowId={(row) => row.Coupon.Code}
        filters={filters}
        load={loadCoupons({ Search, Filter: { State } })}
        isTall
        toolbar={
          <>
            <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
            <SelectField
              label={t('stateTitle')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('allStates')}</option>
              {Object.values(CouponState).map((value) => (
                <option key={value} value={value}>
                  {t(`state.${value}`)}
                </option>
              ))}
            </SelectField>
          </>
        }
        card={(row) => (
          <RowCard low className={s.row}>
            <RowLine>
              {code(row)}
              {state(row)}
            </RowLine>
            <RowLine>
              <span>
                <strong>{t('off', { Value: texts.benefit(row.Coupon) })}</strong> · {texts.products(row.Coupon)}
              </span>
              {end(row)}
            </RowLine>
            <RowLine soft wrap>
              <span>{texts.uses(row)}</span>
              {conditions(row) && <span>{conditions(row)}</span>}
              {texts.minimum(row.Coupon) && <span>{t('minimumLine', { Amount: texts.minimum(row.Coupon) })}</span>}
            </RowLine>
            {(row.Coupon.ValidFrom || row.Coupon.ValidUntil) && (
              <RowLine soft wrap>
                <small>
                  <DateText value={row.Coupon.ValidFrom} /> {t('until')} <DateText value={row.Coupon.ValidUntil} />
                </small>
              </RowLine>
            )}
          </RowCard>
        )}
        empty={
          <EmptyState title={t('empty')} action={add}>
            {add && t('emptyHint')}
          </EmptyState>
        }
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {ending && <EndDialog coupon={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}
