// Orders individual IPs: a list to pick from, and the picked ones.
import { X } from '@phosphor-icons/react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import type { BuyParams } from '@/stores/ips';
import { useResellerDiscount } from '@/stores/user';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import s from '../static.module.css';
import local from './buy.module.css';

// ag-grid is a third of the app's code, so it is loaded only here.
const NodePicker = lazy(async () => ({ default: (await import('../NodePicker')).NodePicker }));

interface ExactPickerProps {
  catalogue: Schemas['Catalogue'];
  params: BuyParams;
  onChange: (change: Partial<BuyParams>) => void;
  /** The use case filter, shared with the city picker. */
  children: ReactNode;
}

export function ExactPicker({ catalogue, params, onChange, children }: ExactPickerProps) {
  const { t } = useTranslation('static_residential_proxies');
  const discount = useResellerDiscount();
  const { nodes } = params;
  return (
    <div className={s.form}>
      <p className={s.soft}>{t('order.exactLead')}</p>
      <Suspense fallback={<LoadingState />}>
        <NodePicker
          verStr={params.verStr}
          target={params.target}
          currency={catalogue.Currency}
          discount={discount}
          value={{ rows: nodes }}
          onChange={({ rows }) => onChange({ nodes: rows })}
          filters={children}
        />
      </Suspense>
      {nodes.length > 0 && (
        <section className={local.picked} aria-label={t('order.chosen', { count: nodes.length })}>
          <ul>
            {nodes.map((node) => (
              <li key={node.NodeId}>
                <Button
                  size="small"
                  aria-label={t('order.removeIp', { Ip: node.Ip })}
                  onClick={() => onChange({ nodes: nodes.filter((one) => one.NodeId !== node.NodeId) })}
                >
                  <code>{node.Ip}</code> {core().cityName(node.City, currentLanguage())}
                  <X size={13} aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
