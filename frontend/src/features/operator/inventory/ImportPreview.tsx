// What an import would add by tier and city, or which cells of the file are wrong.
import { useTranslation } from 'react-i18next';
import type { NodesImported } from '@/api/inventory';
import { useRuleText } from '@/ui/form';
import { Notice } from '@/ui/Notice';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { useNumber } from '@/ui/texts';
import { Place } from './cells';
import s from './inventory.module.css';
import { useTiers } from './tiers';

const MOST_SHELVES = 10;
/** The column of an error about a line as a whole. */
const WHOLE_LINE = 'line';

export function ImportPreview({ result }: { result: NodesImported }) {
  const { t } = useTranslation('inventory');
  if (result.WrongCells > 0) return <WrongCells result={result} />;
  if (result.Nodes === 0) return <Notice tone="warn">{t('import.noLines')}</Notice>;
  return (
    <>
      <Notice tone="good">{t('import.ready', { count: result.Nodes })}</Notice>
      <Shelves shelves={result.Shelves} />
    </>
  );
}

function WrongCells({ result: { Nodes, WrongCells: count, Wrong } }: { result: NodesImported }) {
  const { t } = useTranslation('inventory');
  const ruleText = useRuleText(true);
  const number = useNumber();
  return (
    <>
      <Notice tone="bad">
        <p>{t('import.wrong', { count })}</p>
        <p>{t('import.wrongHint', { Nodes })}</p>
      </Notice>
      <ScrolledTable label={t('import.wrongCells')}>
        <thead>
          <tr>
            <th scope="col" data-right>
              {t('import.line')}
            </th>
            <th scope="col">{t('import.column')}</th>
            <th scope="col">{t('import.problem')}</th>
          </tr>
        </thead>
        <tbody>
          {Wrong.map(({ Line, Column, Rule, Params }) => (
            <tr key={`${Line} ${Column} ${Rule}`}>
              <td data-right>{number(Line)}</td>
              <td>{Column === WHOLE_LINE ? t('import.wholeLine') : <code>{Column}</code>}</td>
              <td data-bad>{ruleText({ Rule, Params })}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      {count > Wrong.length && <p className={s.soft}>{t('import.firstOf', { Shown: Wrong.length, Total: count })}</p>}
    </>
  );
}

function Shelves({ shelves }: { shelves: NodesImported['Shelves'] }) {
  const { t } = useTranslation('inventory');
  const { tierName } = useTiers();
  const number = useNumber();
  const more = shelves.length - MOST_SHELVES;
  return (
    <>
      <ScrolledTable label={t('import.shelves')}>
        <thead>
          <tr>
            <th scope="col">{t('tier')}</th>
            <th scope="col">{t('place')}</th>
            <th scope="col" data-right>
              {t('import.nodes')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shelves.slice(0, MOST_SHELVES).map((shelf) => (
            <tr key={[shelf.VerStr, shelf.Country, shelf.City].join('/')}>
              <td>{tierName(shelf.VerStr)}</td>
              <td>
                <Place of={shelf} />
              </td>
              <td data-right>{number(shelf.Nodes)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      {more > 0 && <p className={s.soft}>{t('import.moreShelves', { count: more })}</p>}
    </>
  );
}
