// Preview of an import: the rows, and errors by line.
import { useTranslation } from 'react-i18next';
import { useRuleText } from '@/ui/form';
import { Notice } from '@/ui/Notice';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { useLimitTexts } from '@/ui/useLimitTexts';
import s from './users.module.css';
import type { FileError, fileRows } from './usersFile';

/** Maximum number of lines shown; lines with errors come first. */
const MOST_ROWS = 100;

type Row = ReturnType<typeof fileRows>[number];

interface ImportPreviewProps {
  rows: Row[];
  errors: FileError[];
  /** Number that can be created, once the server has checked. */
  creatable: number | undefined;
}

export function ImportPreview({ rows, errors, creatable }: ImportPreviewProps) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const ruleText = useRuleText(errors.length > 0);
  const limitTexts = useLimitTexts();
  const limitsOf = (form: Row['form']) => [
    ...(form.LimitGigabytes ? [`${form.LimitGigabytes} GB`] : []),
    ...(form.LimitCycle && form.LimitCycle !== 'none' ? [t(`cycle.${form.LimitCycle}`)] : []),
    ...limitTexts({ MaxConnections: wholeOf(form.MaxConnections), MaxMegabits: wholeOf(form.MaxMegabits) }),
  ];
  const whatIsWrong = (error: FileError | undefined) => {
    if (!error) return '';
    const column = COLUMNS[error.field];
    const rule = ruleText(error.broken);
    return column ? t('common:labelled', { Label: column, Value: rule }) : rule;
  };
  const ofFile = errors.filter((error) => error.line === 0);
  const wrong = rows.filter((row) => row.errors.length > 0);
  const shown = [...wrong, ...rows.filter((row) => row.errors.length === 0)].slice(0, MOST_ROWS);
  const hasRemarks = shown.some((row) => row.errors.length > 0 || row.form.Note);
  return (
    <>
      {ofFile.map(({ field, broken }) => (
        <Notice key={field + broken.Rule} tone="bad">
          {ruleText(broken)}
        </Notice>
      ))}
      {wrong.length > 0 && (
        <Notice tone="bad">
          {t('import.wrongLines', { count: wrong.length })}
          <ul className={s.wrongLines}>
            {wrong.slice(0, 3).map((row) => (
              <li key={row.line}>{t('import.wrongLine', { Line: row.line, What: whatIsWrong(row.errors[0]) })}</li>
            ))}
          </ul>
        </Notice>
      )}
      {errors.length === 0 && creatable === undefined && <Notice>{t('import.ready', { count: rows.length })}</Notice>}
      {creatable !== undefined && <Notice tone="good">{t('import.canCreate', { count: creatable })}</Notice>}
      {shown.length > 0 && (
        <ScrolledTable label={t('import.preview')}>
          <thead>
            <tr>
              <th scope="col">{t('import.line')}</th>
              <th scope="col">{t('form.name')}</th>
              {hasRemarks && <th scope="col">{t('import.what')}</th>}
              <th scope="col">{t('import.limit')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, form, errors: ofLine }) => (
              <tr key={line}>
                <td data-soft>{line}</td>
                <td>
                  <code>{form.Name}</code>
                </td>
                {hasRemarks && (
                  <td data-wrap data-bad={ofLine.length > 0 || undefined}>
                    {ofLine.length > 0
                      ? ofLine.map((error) => <div key={error.field + error.broken.Rule}>{whatIsWrong(error)}</div>)
                      : form.Note}
                  </td>
                )}
                <td>{limitsOf(form).join(' · ')}</td>
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      )}
      {rows.length > shown.length && (
        <p className={s.soft}>{t('import.more', { count: rows.length - shown.length })}</p>
      )}
    </>
  );
}

/** An invalid number is reported beside it. */
const wholeOf = (text = '') => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined);

/** Column names as in the file, because users look for them there. */
const COLUMNS: Record<string, string> = {
  Name: 'name',
  Password: 'password',
  Note: 'note',
  LimitGigabytes: 'limit_gb',
  LimitCycle: 'limit_cycle',
  ExpiresAt: 'expires_at',
  Countries: 'countries',
  MaxConnections: 'max_connections',
  MaxMegabits: 'max_megabits',
};
