// Accounts that signed up with the link; their emails are masked.

import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { loadReferred } from '@/api/referrals';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';

type Referred = Schemas['ReferredView'];

export function ReferredList() {
  const { t } = useTranslation('referrals');
  const columns: Column<Referred>[] = [
    {
      field: 'Email',
      title: t('referred.email'),
      width: 260,
      flex: 1,
      always: true,
      cell: (row) => row.Email,
    },
    {
      field: 'SignedUpAt',
      title: t('referred.signedUpAt'),
      width: 200,
      sortable: true,
      cell: (row) => <DateText value={row.SignedUpAt} />,
    },
    { field: 'HasBought', title: t('referred.hasBought'), width: 150, cell: (row) => <Bought row={row} /> },
    {
      field: 'Rate',
      title: t('referred.rate'),
      width: 100,
      align: 'right',
      cell: (row) => row.Rate ?? t('referred.noRate'),
    },
    {
      field: 'Earned',
      title: t('referred.earned'),
      width: 150,
      align: 'right',
      cell: (row) => <MoneyText amount={row.Earned} currency={row.Currency} />,
    },
  ];
  return (
    <DataGrid<Referred>
      name="referred"
      label={t('referred.title')}
      columns={columns}
      rowId={(row) => String(row.ReferralId)}
      load={loadReferred({ Filter: {}, Search: '' })}
      visibleRows={10}
      card={(row) => (
        <RowCard>
          <RowLine>
            <strong>{row.Email}</strong>
            <MoneyText amount={row.Earned} currency={row.Currency} />
          </RowLine>
          <RowLine soft wrap>
            <DateText value={row.SignedUpAt} />
            <Bought row={row} />
          </RowLine>
        </RowCard>
      )}
      empty={<EmptyState title={t('referred.empty')}>{t('referred.emptyHint')}</EmptyState>}
    />
  );
}

function Bought({ row }: { row: Referred }) {
  const { t } = useTranslation('referrals');
  if (row.Review === 'to_review') return <Badge tone="warn">{t('referred.review')}</Badge>;
  if (row.Review === 'refused') return <Badge tone="bad">{t('referred.rejected')}</Badge>;
  return row.HasBought ? <Badge tone="good">{t('referred.yes')}</Badge> : <Badge>{t('referred.no')}</Badge>;
}
