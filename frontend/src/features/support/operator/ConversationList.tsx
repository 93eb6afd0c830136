// List of conversations: waiting ones first, by state, or searched by email.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { conversationsQuery } from '@/api/support';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { EmptyState, ErrorState } from '@/ui/State';
import { untilText } from '@/ui/texts';
import s from './operator.module.css';

type Row = Schemas['ConversationRow'];

const PAGE_SIZE = 50;
const SHOWN = ['waiting', 'open', 'closed', 'all'] as const;
type Shown = (typeof SHOWN)[number];

/** The longest wait first; otherwise the latest message first. */
const NARROWED = {
  waiting: { Filter: { IsWaiting: true }, Sort: [{ Field: 'WaitingSince', Direction: 'asc' }] },
  open: { Filter: { State: 'open' }, Sort: [{ Field: 'LastMessageAt', Direction: 'desc' }] },
  closed: { Filter: { State: 'closed' }, Sort: [{ Field: 'LastMessageAt', Direction: 'desc' }] },
  all: { Filter: {}, Sort: [{ Field: 'LastMessageAt', Direction: 'desc' }] },
} satisfies Record<Shown, Schemas['ListRequest']>;

export function ConversationList({ selected }: { selected: number }) {
  const { t } = useTranslation('support');
  const [filters, change] = useFilters(['Search', 'Show']);
  const shown = SHOWN.find((one) => one === filters.Show) ?? 'waiting';
  const { Search } = filters;
  const list = useInfiniteQuery(conversationsQuery({ ...NARROWED[shown], Search }, PAGE_SIZE));
  const rows = list.data?.pages.flatMap((page) => page.Rows) ?? [];
  const address = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  return (
    <nav className={s.side} aria-label={t('operator.conversations')}>
      <div className={s.filters}>
        <DebouncedSearch label={t('operator.search')} value={Search} onSearch={(text) => change({ Search: text })} />
        <SelectField
          label={t('operator.show')}
          hideLabel
          value={shown}
          onChange={(event) => change({ Show: event.target.value === 'waiting' ? '' : event.target.value })}
        >
          {SHOWN.map((one) => (
            <option key={one} value={one}>
              {t(`operator.shown.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {list.isPending && (
        <div className={s.padded}>
          <LoadingState />
        </div>
      )}
      {list.isError && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState title={shown === 'waiting' && !Search ? t('operator.nobodyWaits') : t('operator.none')} />
      )}
      <ul className={s.rows}>
        {rows.map((row) => (
          <li key={row.AccountId}>
            <ConversationLink row={row} isSelected={row.AccountId === selected} address={address} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="small" variant="ghost" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t('operator.more')}
        </Button>
      )}
    </nav>
  );
}

function ConversationLink({ row, isSelected, address }: { row: Row; isSelected: boolean; address: string }) {
  const { t, i18n } = useTranslation('support');
  const text = row.LastText || t('operator.fileOnly');
  const ago = (time: string) => untilText(time, i18n.language);
  return (
    <Link
      to={`${OPERATOR_PATH}/support/${row.AccountId}${address && `?${address}`}`}
      className={s.row}
      aria-current={isSelected ? 'page' : undefined}
    >
      <span className={s.rowHead}>
        <strong>{row.Name}</strong>
        {row.Unread > 0 && (
          <span className={s.unread}>
            {row.Unread}
            <span className="visually-hidden">{t('operator.unread')}</span>
          </span>
        )}
      </span>
      <span className={s.excerpt}>{row.LastSide === 'operator' ? t('operator.answered', { Text: text }) : text}</span>
      <span className={s.rowFoot}>
        {row.Name !== row.Email && <span>{row.Email}</span>}
        {row.WaitingSince ? (
          <span data-waiting>{t('operator.waitingSince', { Ago: ago(row.WaitingSince) })}</span>
        ) : (
          <span>{ago(row.LastMessageAt)}</span>
        )}
      </span>
    </Link>
  );
}
