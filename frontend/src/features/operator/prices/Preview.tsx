// What customers pay, now or from the time of a planned change on, with what differs from today marked.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PlannedPrice, type Prices, pricesQuery } from '@/api/prices';
import { SelectField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { fieldOnWire } from '@/ui/wireTime';
import { StaticPreview, TrafficPreview } from './previewTables';
import s from './prices.module.css';

interface PreviewProps {
  of: 'static' | 'traffic';
  /** Those of today. */
  prices: Prices;
  planned: PlannedPrice[];
}

export function Preview({ of, prices, planned }: PreviewProps) {
  const { t } = useTranslation('prices');
  const [chosen, choose] = useState('');
  const times = [...new Set(planned.filter((one) => one.IsPossible).map(({ ValidFrom }) => ValidFrom))];
  // Its changes may have been cancelled since.
  const at = times.includes(chosen) ? chosen : '';
  const then = useQuery({
    ...pricesQuery(fieldOnWire(at)),
    enabled: at !== '',
    placeholderData: keepPreviousData,
  });
  const shown = at === '' ? prices : then.data?.Prices;
  let body: ReactNode;
  if (shown) {
    const Table = of === 'static' ? StaticPreview : TrafficPreview;
    body = (
      <div className={s.part} aria-busy={at !== '' && then.isPlaceholderData}>
        <p className={s.soft}>{t(of === 'static' ? 'preview.static' : 'preview.traffic')}</p>
        <Table now={prices} then={shown} />
        {at !== '' && <p className={s.soft}>{t('preview.marked')}</p>}
      </div>
    );
  } else if (then.isError) body = <ErrorState error={then.error} onRetry={() => then.refetch()} />;
  else body = <LoadingState rows={6} />;
  return (
    <Card
      title={t('preview.title')}
      aside={
        times.length > 0 && (
          <SelectField label={t('preview.when')} hideLabel value={at} onChange={(event) => choose(event.target.value)}>
            <option value="">{t('preview.today')}</option>
            {times.map((time) => (
              <option key={time} value={time}>
                {t('preview.from', { Time: time })}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      {body}
    </Card>
  );
}
