// Column settings of a list, stored in this browser, and saved views.
import { BookmarkSimple, FloppyDisk, Trash } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sort } from '@/api/lists';
import { COLUMNS_KEY_PREFIX, DEFAULT_PAGE_SIZE } from '@/core/constants.gen';
import { Button } from './Button';
import { TextField } from './Field';
import { Dialog, Menu, type MenuItem } from './Overlay';

/** Hidden columns, rows per page, and row height. */
export interface GridView {
  /** Null until the user has chosen columns: then those of the list are hidden for which there is no room. */
  hidden: string[] | null;
  pageSize: number;
  isCompact: boolean;
}

/** Column settings with sorting and filters. */
export interface SavedView extends GridView {
  sort: Sort[];
  filters: Record<string, unknown>;
}

function read<T extends object>(key: string, initial: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return kept && typeof kept === 'object' && !Array.isArray(kept) ? { ...initial, ...kept } : initial;
  } catch {
    return initial;
  }
}

const keyOf = (name: string) => `${COLUMNS_KEY_PREFIX}${name}`;

/** The column settings of the last visit. */
export const lastView = (name: string) =>
  read<GridView>(keyOf(name), { hidden: null, pageSize: DEFAULT_PAGE_SIZE, isCompact: false });

export function useGridView(name: string): [GridView, (view: GridView) => void] {
  const key = keyOf(name);
  const [view, setView] = useState(() => lastView(name));
  const keep = (next: GridView) => {
    localStorage.setItem(key, JSON.stringify(next));
    setView(next);
  };
  return [view, keep];
}

interface ViewsMenuProps {
  name: string;
  current: SavedView;
  onApply: (view: SavedView) => void;
}

/** Menu that applies, saves and deletes views. */
export function ViewsMenu({ name, current, onApply }: ViewsMenuProps) {
  const { t } = useTranslation();
  const key = `${keyOf(name)}:views`;
  const [views, setViews] = useState<Record<string, SavedView>>(() => read(key, {}));
  const [newName, setNewName] = useState<string>();
  const keep = (next: Record<string, SavedView>) => {
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const names = Object.keys(views);
  const same = names.find((one) => JSON.stringify(views[one]) === JSON.stringify(current));
  const items: MenuItem[] = [
    ...names.map((one) => ({
      key: `view ${one}`,
      label: one,
      icon: <BookmarkSimple size={16} weight={one === same ? 'fill' : 'regular'} aria-hidden="true" />,
      // A view saved by an older version may lack a part.
      onSelect: () => onApply({ ...current, sort: [], filters: {}, ...views[one] }),
    })),
    { key: 'save', label: t('saveView'), icon: <FloppyDisk size={16} />, onSelect: () => setNewName('') },
  ];
  if (same) {
    items.push({
      key: 'forget',
      label: t('deleteView', { Name: same }),
      icon: <Trash size={16} />,
      onSelect: () => keep(Object.fromEntries(Object.entries(views).filter(([one]) => one !== same))),
    });
  }
  const trimmed = newName?.trim() ?? '';
  const save = () => {
    if (!trimmed) return;
    keep({ ...views, [trimmed]: current });
    setNewName(undefined);
  };
  return (
    <>
      <Menu
        trigger={
          <Button size="small" icon={<BookmarkSimple size={16} />}>
            {same ?? t('views')}
          </Button>
        }
        items={items}
      />
      <Dialog
        open={newName !== undefined}
        onClose={() => setNewName(undefined)}
        title={t('saveView')}
        actions={
          <>
            <Button onClick={() => setNewName(undefined)}>{t('cancel')}</Button>
            <Button variant="primary" disabled={!trimmed} onClick={save}>
              {t('save')}
            </Button>
          </>
        }
      >
        <TextField
          label={t('viewName')}
          hint={t('viewHint')}
          value={newName ?? ''}
          maxLength={40}
          onChange={(event) => setNewName(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
      </Dialog>
    </>
  );
}
