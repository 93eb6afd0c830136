// First steps of a new customer. Hidden when all are done, or when the customer dismisses them.
import { CheckCircle, Circle, X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OverviewView } from '@/api/welcome';
import { usePreferences } from '@/stores/preferences';
import { IconButton } from '@/ui/Button';
import { Card } from '@/ui/Page';
import s from './welcome.module.css';

type Step = OverviewView['Steps'][number]['Step'];

const LEADS_TO: Record<Step, string> = {
  top_up: '/billing/wallet',
  buy: '/static-residential-proxies/order',
  connect: '/static-residential-proxies/proxy-setup',
  details: '/my-account/details',
};

export function FirstSteps({ steps }: { steps: OverviewView['Steps'] }) {
  const { t } = useTranslation('welcome');
  const { areStepsHidden, set } = usePreferences();
  const done = steps.filter((step) => step.IsDone).length;
  if (areStepsHidden || done === steps.length) return null;
  const next = steps.find((step) => !step.IsDone)?.Step;
  return (
    <Card
      title={t('steps.title')}
      aside={
        <span className={s.stepsAside}>
          <span className={s.soft}>{t('steps.done', { Done: done, Of: steps.length })}</span>
          <IconButton size="small" label={t('steps.hide')} onClick={() => set({ areStepsHidden: true })}>
            <X size={16} />
          </IconButton>
        </span>
      }
    >
      <ol className={s.steps}>
        {steps.map(({ Step, IsDone }) => (
          <li key={Step} data-done={IsDone || undefined} data-next={Step === next || undefined}>
            {IsDone ? (
              <CheckCircle size={22} weight="fill" aria-hidden="true" />
            ) : (
              <Circle size={22} aria-hidden="true" />
            )}
            <span>
              {IsDone ? <strong>{t(`steps.${Step}`)}</strong> : <Link to={LEADS_TO[Step]}>{t(`steps.${Step}`)}</Link>}
              {IsDone && <span className="visually-hidden"> {t('steps.isDone')}</span>}
              <small>{t(`steps.${Step}Hint`)}</small>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
