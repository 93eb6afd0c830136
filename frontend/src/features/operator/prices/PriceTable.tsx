// A card with prices or discounts, one a row, each to edit, to remove, and to sell or pause.
import { PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceForm } from '@/api/prices';
import { Button, IconButton } from '@/ui/Button';
import { Card } from '@/ui/Page';
import type { PriceTarget } from './PriceDialog';
import s from './prices.module.css';

export interface PriceRow {
  /** Tells it from the others. */
  key: string;
  /** Names it in the labels of its buttons. */
  name: string;
  label: ReactNode;
  value: ReactNode;
  edit: PriceForm;
  remove?: PriceForm;
  /** Another change: the text of its button, and what it is called without the row around it. */
  other?: { text: string; label: string; form: PriceForm };
}

interface PriceTableProps {
  title: string;
  lead: string;
  heads: [string, string];
  rows: PriceRow[];
  /** Without it, none can be added. */
  add?: { label: string; form: PriceForm };
  /** Shown without rows. */
  empty?: string;
  /** Undefined for who may not change prices. */
  onOpen: ((target: PriceTarget) => void) | undefined;
}

export function PriceTable({ title, lead, heads, rows, add, empty, onOpen }: PriceTableProps) {
  const { t } = useTranslation('prices');
  return (
    <Card
      title={title}
      aside={
        add &&
        onOpen && (
          <Button
            size="small"
            icon={<Plus size={15} aria-hidden="true" />}
            onClick={() => onOpen({ form: add.form, isNew: true })}
          >
            {add.label}
          </Button>
        )
      }
    >
      <div className={s.part}>
        <p className={s.soft}>{lead}</p>
        {rows.length === 0 ? (
          <p>{empty}</p>
        ) : (
          <table className={s.table}>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{heads[0]}</th>
                <th scope="col">{heads[1]}</th>
                {onOpen && (
                  <th scope="col">
                    <span className="visually-hidden">{t('actions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, name, label, value, edit, remove, other }) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  <td>{value}</td>
                  {onOpen && (
                    <td>
                      <span className={s.buttons}>
                        {other && (
                          <Button size="small" aria-label={other.label} onClick={() => onOpen({ form: other.form })}>
                            {other.text}
                          </Button>
                        )}
                        <IconButton
                          size="small"
                          label={t('editOf', { Name: name })}
                          onClick={() => onOpen({ form: edit })}
                        >
                          <PencilSimple size={16} />
                        </IconButton>
                        {remove && (
                          <IconButton
                            size="small"
                            label={t('removeOf', { Name: name })}
                            onClick={() => onOpen({ form: remove })}
                          >
                            <Trash size={16} />
                          </IconButton>
                        )}
                      </span>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Card>
  );
}
