// Commissions on the orders of referred accounts, with their status.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { COMMISSIONS, loadCommissions } from '@/api/referrals';
import { core } from '@/core';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import type { Tone } from '@/ui/Notice';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './referrals.module.css';

type Commission = Schemas['CommissionView'];
type State = Schemas['CommissionState'];

const TONES: Record<State, Tone> = {
  pending: 'accent',
  available: 'good',
  moved: 'neutral',
  taken_back: 'bad',
  refused: 'bad',
};
const STATES = Object.keys(TONES) as State[];

export function CommissionList() {
  const { t } = useTranslation('referrals');
  const [{ State }, change] = useFilters(['State']);
  const columns: Column<Commission>[] = [
    {
      field: 'EarnedAt',
      title: t('commissions.earnedAt'),
      width: 190,
      sortable: true,
      cell: (row) => <DateText value={row.EarnedAt} />,
    },
    { field: 'Email', title: t('commissions.email'), width: 230, flex: 1, always: true, cell: (row) => row.Email },
    { field: 'Rate', title: t('commissions.rate'), width: 90, align: 'right', cell: (row) => row.Rate },
    {
      field: 'Amount',
      title: t('commissions.amount'),
      width: 130,
      align: 'right',
      cell: (row) => <Amount row={row} />,
    },
    { field: 'State', title: t('commissions.state'), width: 150, cell: (row) => <StateBadge row={row} /> },
    {
      field: 'AvailableAt',
      title: t('commissions.availableAt'),
      width: 190,
      cell: (row) => <DateText value={row.AvailableAt} />,
    },
    {
      field: 'MovedAt',
      title: t('commissions.movedAt'),
      width: 190,
      cell: (row) => <DateText value={row.MovedAt} />,
    },
  ];
  return (
    <DataGrid<Commission>
      name={COMMISSIONS}
      label={t('commissions.title')}
      columns={columns}
      rowId={(row) => String(row.CommissionId)}
      filters={{ State }}
      load={loadCommissions({ Filter: { State }, Search: '' })}
      visibleRows={10}
      toolbar={
        <SelectField
          label={t('commissions.state')}
          hideLabel
          value={State}
          onChange={(event) => change({ State: event.target.value })}
        >
          <option value="">{t('commissions.allStates')}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(`state.${state}`)}
            </option>
          ))}
        </SelectField>
      }
      card={(row) => (
        <RowCard>
          <RowLine>
            <strong>{row.Email}</strong>
            <Amount row={row} />
          </RowLine>
          <RowLine soft wrap>
            <DateText value={row.EarnedAt} />
            <StateBadge row={row} />
          </RowLine>
        </RowCard>
      )}
      empty={<EmptyState title={t('commissions.empty')}>{t('commissions.emptyHint')}</EmptyState>}
    />
  );
}

/** The remaining amount, and the original one if a refund reduced it. */
function Amount({ row }: { row: Commission }) {
  const { t } = useTranslation('referrals');
  const isReduced = row.Amount !== row.Earned;
  const before = core().displayMoney(row.Earned, row.Currency);
  return (
    <span title={isReduced ? t('commissions.reduced', { Earned: before }) : undefined}>
      {isReduced && <s className={s.before}>{before}</s>} <MoneyText amount={row.Amount} currency={row.Currency} />
    </span>
  );
}

function StateBadge({ row }: { row: Commission }) {
  const { t } = useTranslation('referrals');
  if (row.IsHeld) return <Badge tone="warn">{t('commissions.held')}</Badge>;
  return <Badge tone={TONES[row.State]}>{t(`state.${row.State}`)}</Badge>;
}
