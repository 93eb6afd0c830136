// Selecting rows of a grid, also while its rows are refetched.
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Grid } from './Grid';

interface Row {
  id: string;
}

const ROWS: Row[] = [{ id: 'a' }, { id: 'b' }];
const told = vi.fn();
let reload = () => {};

function Ticked({ isOne = false }: { isOne?: boolean }) {
  const [rows, setRows] = useState(ROWS);
  const [selected, setSelected] = useState(new Set<string>());
  reload = () => setRows(ROWS.map((row) => ({ ...row })));
  return (
    <Grid<Row>
      label="Rows"
      columns={[{ field: 'id', title: 'Id', cell: (row) => row.id }]}
      rows={rows}
      rowId={(row) => row.id}
      sort={[]}
      onSort={() => {}}
      selected={selected}
      isOne={isOne}
      onSelect={(chosen) => {
        told(chosen.map(({ id }) => id));
        setSelected(new Set(chosen.map(({ id }) => id)));
      }}
      visibleRows={2}
      isTall={false}
      isCompact={false}
      isChinese={false}
    />
  );
}

test('a row selected while the rows are replaced stays selected', async () => {
  render(<Ticked />);
  await screen.findByText('b');
  const box = () => screen.getAllByRole<HTMLInputElement>('checkbox')[2];
  fireEvent.click(box() as HTMLInputElement);
  act(reload);
  await waitFor(() => expect(told).toHaveBeenCalled());
  expect(told).toHaveBeenLastCalledWith(['b']);
  await waitFor(() => expect(box()?.checked).toBe(true));
});

test('the column that selects one row has a title', async () => {
  render(<Ticked isOne />);
  await screen.findByText('b');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim())).toEqual([
    'Selected rows',
    'Id',
  ]);
});
