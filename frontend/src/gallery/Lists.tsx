// Lists: with rows, empty, loading, failing, with a selection; and the tables and entries of smaller ones.
import { Trash } from '@phosphor-icons/react';
import { type ComponentProps, useState } from 'react';
import { Button, IconButton } from '@/ui/Button';
import { type Column, DataGrid, nothingSelected, type Selection } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { Entry, EntryList } from '@/ui/EntryList';
import { Flag } from '@/ui/Flag';
import { Pager } from '@/ui/Pager';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { ScrolledBox, ScrolledTable } from '@/ui/ScrolledTable';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText, UntilText } from '@/ui/texts';
import { ROWS, type Row } from './examples';
import g from './gallery.module.css';
import { Specimen } from './Part';

const COLUMNS: Column<Row>[] = [
  { field: 'name', title: 'Name', width: 160, flex: 1, always: true, sortable: true, cell: (row) => row.name },
  { field: 'country', title: 'Country', width: 120, cell: (row) => <Flag country={row.country} /> },
  { field: 'endsAt', title: 'Ends', width: 190, cell: (row) => <DateText value={row.endsAt} /> },
  {
    field: 'price',
    title: 'Price',
    width: 120,
    align: 'right',
    cell: (row) => <MoneyText amount={row.price} currency="USD" />,
  },
];
const LARGE_TOTAL = 12_345;

type ListProps = ComponentProps<typeof DataGrid<Row>>;

function List(props: Pick<ListProps, 'name' | 'label' | 'load'> & Partial<ListProps>) {
  return (
    <DataGrid<Row>
      columns={COLUMNS}
      rowId={(row) => String(row.id)}
      isInDialog
      visibleRows={5}
      card={(row) => <Card row={row} />}
      empty={<EmptyState title="No proxies yet" action={<Button variant="primary">Buy proxies</Button>} />}
      {...props}
    />
  );
}

function Card({ row }: { row: Row }) {
  return (
    <RowCard>
      <RowLine>
        <strong>{row.name}</strong>
        <RowActions>
          <IconButton size="small" label={`Remove ${row.name}`}>
            <Trash size={16} />
          </IconButton>
        </RowActions>
      </RowLine>
      <RowLine>
        <Flag country={row.country} />
        <MoneyText amount={row.price} currency="USD" />
      </RowLine>
      <RowLine soft wrap>
        <DateText value={row.endsAt} />
        <UntilText value={row.endsAt} />
      </RowLine>
    </RowCard>
  );
}

const rows = async () => ({ Rows: ROWS, Total: ROWS.length });
const none = async () => ({ Rows: [], Total: 0 });
const never = () => new Promise<never>(() => {});
const failing = async () => {
  throw new Error('there is nothing to show');
};

export function Lists() {
  const [selected, setSelected] = useState<Selection<Row>>({ rows: ROWS.slice(0, 2) });
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(3);
  return (
    <>
      <Specimen label="DataGrid: rows, a search, saved views; on a phone cards" wide>
        <List
          name="gallery-rows"
          label="Proxies"
          load={rows}
          onFiltersChange={() => {}}
          toolbar={<DebouncedSearch label="Search" value={search} onSearch={setSearch} />}
        />
      </Specimen>
      <Specimen label="DataGrid: selecting rows, and what is done with them" wide>
        <List
          name="gallery-selected"
          label="Proxies to select from"
          load={async () => ({ Rows: ROWS, Total: LARGE_TOTAL, TotalIsAtLeast: true })}
          selection={{
            value: selected,
            onChange: setSelected,
            nameOf: (row) => row.name,
            withAll: true,
            actions: <Button size="small">Renew</Button>,
          }}
        />
        <div>
          <Button size="small" onClick={() => setSelected(nothingSelected)}>
            Select nothing
          </Button>
        </div>
      </Specimen>
      <Specimen label="DataGrid: empty" wide>
        <List name="gallery-empty" label="No proxies" load={none} />
      </Specimen>
      <Specimen label="DataGrid: empty, with a filter" wide>
        <List name="gallery-filtered" label="No such proxies" load={none} filters={{ Search: 'nothing' }} />
      </Specimen>
      <Specimen label="DataGrid: loading" wide>
        <List name="gallery-loading" label="Proxies on their way" load={never} />
      </Specimen>
      <Specimen label="DataGrid: failing" wide>
        <List name="gallery-failing" label="Proxies that do not come" load={failing} />
      </Specimen>
      <Specimen label="RowCard: lines, buttons at the end of a line">
        <div className={g.box}>
          {ROWS.slice(0, 1).map((row) => (
            <Card key={row.id} row={row} />
          ))}
        </div>
      </Specimen>
      <Specimen label="Pager: in the middle; of more than were counted" wide>
        <div className={g.box}>
          <Pager
            page={page}
            pageSize={50}
            total={LARGE_TOTAL}
            isAtLeast={false}
            rowsHere={50}
            onPage={setPage}
            onPageSize={() => {}}
          />
        </div>
        <div className={g.box}>
          <Pager
            page={1}
            pageSize={50}
            total={LARGE_TOTAL}
            isAtLeast
            rowsHere={20}
            onPage={() => {}}
            onPageSize={() => {}}
          />
        </div>
      </Specimen>
      <Specimen label="ScrolledTable">
        <ScrolledTable label="Prices">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <tr key={row.id}>
                <td>{row.name}</td>
                <td>
                  <MoneyText amount={row.price} currency="USD" />
                </td>
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      </Specimen>
      <Specimen label="ScrolledBox">
        <ScrolledBox label="Names">
          <ul className={g.padded}>
            {ROWS.map((row) => (
              <li key={row.id}>{row.name}</li>
            ))}
          </ul>
        </ScrolledBox>
      </Specimen>
      <Specimen label="EntryList: what was kept by name">
        <EntryList label="Kept">
          {ROWS.slice(0, 3).map((row) => (
            <Entry key={row.id} name={row.name} note="A word about it" aside={<UntilText value={row.endsAt} />}>
              <IconButton size="small" label={`Remove ${row.name}`}>
                <Trash size={16} />
              </IconButton>
            </Entry>
          ))}
        </EntryList>
      </Specimen>
    </>
  );
}
