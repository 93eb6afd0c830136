// Prices for operators: static proxies, traffic, changes planned for later, and limits on what customers leave unpaid and staff do for them.
import { Plus } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pricesQuery } from '@/api/prices';
import { PriceAction } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { priceForm, sellsNothing } from './changes';
import { LimitsView } from './LimitsView';
import { PlannedList } from './PlannedList';
import { Preview } from './Preview';
import { PriceDialog, type PriceTarget } from './PriceDialog';
import s from './prices.module.css';
import { StaticPrices } from './StaticPrices';
import { TrafficPrices } from './TrafficPrices';

const VIEWS = ['static', 'traffic', 'limits'] as const;
type View = (typeof VIEWS)[number];

export function PricesPage() {
  // A limit's dialog names an action of the audit log.
  const { t } = useTranslation(['prices', 'audit']);
  const [{ view: asked }, change] = useFilters(['view']);
  const may = useMay();
  const mayChange = may('Operator/ChangePrice');
  const views = VIEWS.filter((one) => one !== 'limits' || may('Operator/GetLimits'));
  const view = views.find((one) => one === asked) ?? 'static';
  const [target, setTarget] = useState<PriceTarget>();
  const addTraffic = () => setTarget({ form: priceForm(PriceAction.SetTraffic), isNew: true });
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      actions={
        view === 'traffic' &&
        mayChange && (
          <Button variant="primary" icon={<Plus size={17} aria-hidden="true" />} onClick={addTraffic}>
            {t('add.traffic')}
          </Button>
        )
      }
    >
      <div className={s.tabs}>
        <SegmentedControl<View>
          label={t('views.label')}
          value={view}
          segments={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(next) => change({ view: next === 'static' ? '' : next })}
        />
      </div>
      {view === 'limits' ? (
        <LimitsView />
      ) : (
        <PriceViews
          view={view}
          target={target}
          onOpen={mayChange ? setTarget : undefined}
          onClose={() => setTarget(undefined)}
        />
      )}
    </Page>
  );
}

interface PriceViewsProps {
  view: 'static' | 'traffic';
  target: PriceTarget | undefined;
  /** Undefined for who may not change prices. */
  onOpen: ((target: PriceTarget) => void) | undefined;
  onClose: () => void;
}

function PriceViews({ view, target, onOpen, onClose }: PriceViewsProps) {
  const { t } = useTranslation('prices');
  const list = useQuery(pricesQuery());
  if (!list.data) {
    return (
      <Card>
        {list.isError ? <ErrorState error={list.error} onRetry={() => list.refetch()} /> : <LoadingState rows={10} />}
      </Card>
    );
  }
  const { Prices: prices, Planned: planned } = list.data;
  const Tables = view === 'static' ? StaticPrices : TrafficPrices;
  return (
    <>
      {sellsNothing(prices) && <Notice tone="warn">{t('nothingOnSale')}</Notice>}
      <div className={s.columns}>
        <div className={s.cards}>
          <Tables prices={prices} onOpen={onOpen} />
        </div>
        <div className={s.cards}>
          <Preview of={view} prices={prices} planned={planned} />
          <PlannedList prices={prices} planned={planned} />
        </div>
      </div>
      {target && <PriceDialog {...target} prices={prices} onClose={onClose} />}
    </>
  );
}
