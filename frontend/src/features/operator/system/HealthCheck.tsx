// The shop examined on request: what is wrong and what to do, and what is fine.
import { CaretRight } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { examinationQuery, type Finding } from '@/api/system';
import { Button } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge } from '@/ui/State';
import { AgoText } from '@/ui/texts';
import { CodedText } from './CodedText';
import s from './system.module.css';
import { useFindingText } from './useFindingText';

export function HealthCheck() {
  const { t } = useTranslation('system');
  const { data, error, isFetching, refetch } = useQuery(examinationQuery);
  const age = data && (
    <AgoText
      value={data.ExaminedAt}
      justNow={t('health.examinedNow')}
      phrase={(Ago) => t('health.examined', { Ago })}
    />
  );
  const button = (
    <Button loading={isFetching} onClick={() => refetch()}>
      {t(data ? 'health.again' : 'health.start')}
    </Button>
  );
  return (
    <Card title={t('health.title')} aside={button}>
      <div className={s.part}>
        {!data && <p className={s.lead}>{t('health.lead')}</p>}
        {/* One line in all states, so that a run moves nothing. The age is not read out whenever it changes. */}
        <div className={s.summary}>
          <div role="status" className={s.summary}>
            {data && <Counts findings={data.Findings} />}
            {isFetching && <p className={s.soft}>{t('health.running')}</p>}
          </div>
          {!isFetching && <p className={s.soft}>{age ?? t('health.takes')}</p>}
        </div>
        {error && !isFetching && (
          <Notice tone="bad">
            <strong>{t('health.failed')}</strong>
            <p>{error.message}</p>
          </Notice>
        )}
        {data && <Findings examined={data} isOld={isFetching} />}
      </div>
    </Card>
  );
}

const ofSeverity = (findings: Finding[], severity: Schemas['Severity']) =>
  findings.filter((finding) => finding.Severity === severity);

function Counts({ findings }: { findings: Finding[] }) {
  const { t } = useTranslation('system');
  const countOf = (severity: Schemas['Severity']) => ofSeverity(findings, severity).length;
  const [faults, warnings, fine] = [countOf('fault'), countOf('warning'), countOf('ok')];
  return (
    <p className={s.counts}>
      {faults > 0 && <Badge tone="bad">{t('health.faults', { count: faults })}</Badge>}{' '}
      {warnings > 0 && <Badge tone="warn">{t('health.warnings', { count: warnings })}</Badge>}{' '}
      <Badge tone="good">{t('health.fine', { count: fine })}</Badge>
    </p>
  );
}

function Findings({ examined: { Findings: findings }, isOld }: { examined: Schemas['ShopExamined']; isOld: boolean }) {
  const { t } = useTranslation('system');
  const toMend = [...ofSeverity(findings, 'fault'), ...ofSeverity(findings, 'warning')];
  const fine = ofSeverity(findings, 'ok');
  return (
    <div className={s.findings} data-stale={isOld || undefined}>
      {toMend.length > 0 && (
        <Rows label={t('health.toMend')} findings={toMend} badge={(severity) => <SeverityBadge of={severity} />} />
      )}
      {fine.length > 0 && (
        <details className={s.fine}>
          <summary>
            <CaretRight size={14} aria-hidden="true" />
            {t('health.allFine', { count: fine.length })}
          </summary>
          <Rows label={t('health.fine', { count: fine.length })} findings={fine} />
        </details>
      )}
    </div>
  );
}

const SeverityBadge = ({ of: severity }: { of: Finding['Severity'] }) => {
  const { t } = useTranslation('system');
  return severity === 'fault' ? (
    <Badge tone="bad">{t('health.fault')}</Badge>
  ) : (
    <Badge tone="warn">{t('health.warning')}</Badge>
  );
};

interface RowsProps {
  label: string;
  findings: Finding[];
  badge?: (severity: Finding['Severity']) => ReactNode;
}

function Rows({ label, findings, badge }: RowsProps) {
  const { t } = useTranslation('system');
  const textOf = useFindingText();
  return (
    <ul className={s.rows} aria-label={label}>
      {findings.map((finding, index) => {
        const { name, found, remedy } = textOf(finding);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a check may find the same twice, and findings keep their order.
          <li key={index} className={s.finding}>
            <div className={s.check}>
              <strong>{name}</strong>
              {badge?.(finding.Severity)}
            </div>
            <div className={s.found}>
              <p>
                <CodedText text={found} />
              </p>
              {remedy && (
                <p className={s.remedy}>
                  {fillText((marks) => t('health.toDo', marks), { Text: <CodedText text={remedy} /> })}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
