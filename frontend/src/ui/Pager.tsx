// Pagination below a list: the range of rows, and the page buttons.
import { CaretLeft, CaretRight } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '@/core/constants.gen';
import { IconButton } from './Button';
import s from './data-grid.module.css';
import { SelectField } from './Field';

interface PagerProps {
  page: number;
  pageSize: number;
  total: number;
  isAtLeast: boolean;
  rowsHere: number;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}

export function Pager({ page, pageSize, total, isAtLeast, rowsHere, onPage, onPageSize }: PagerProps) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const isLast = isAtLeast ? rowsHere < pageSize : page >= Math.ceil(total / pageSize);
  const first = (page - 1) * pageSize + 1;
  const to = isAtLeast ? first + Math.max(0, rowsHere - 1) : Math.min(total, page * pageSize);
  return (
    <div className={s.pager}>
      <SelectField
        label={t('rowsPerPage')}
        hideLabel
        value={pageSize}
        onChange={(event) => onPageSize(Number(event.target.value))}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </SelectField>
      <span className={s.range}>
        {t('range', {
          From: number.format(first),
          To: number.format(to),
          Total: `${number.format(total)}${isAtLeast ? '+' : ''}`,
        })}
      </span>
      <IconButton label={t('previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <CaretLeft size={16} />
      </IconButton>
      <IconButton label={t('next')} disabled={isLast} onClick={() => onPage(page + 1)}>
        <CaretRight size={16} />
      </IconButton>
    </div>
  );
}
