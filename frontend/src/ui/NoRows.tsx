// A list whose filters match nothing, with a way back to all rows if the filters are in the address.
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Button } from './Button';
import { PAGE_KEY } from './listAddress';
import { EmptyState } from './State';

export function NoRows({ filters }: { filters: Record<string, unknown> | undefined }) {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const set = Object.keys(filters ?? {}).filter((key) => parameters.has(key));
  const showAll = () =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        for (const key of [...set, PAGE_KEY]) next.delete(key);
        return next;
      },
      { replace: true },
    );
  return (
    <EmptyState title={t('noRows')} action={set.length > 0 && <Button onClick={showAll}>{t('noRowsAll')}</Button>}>
      {t('noRowsHint')}
    </EmptyState>
  );
}
