// What customers choose nodes for: the use cases of the shop in their order, to add, to edit, to move and to delete.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { saveUseCase, useCasesQuery } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState, ErrorState } from '@/ui/State';
import { useName, useNumber } from '@/ui/texts';
import { useMedia } from '@/ui/useMedia';
import { NONE } from './cells';
import { DeleteUseCase } from './DeleteUseCase';
import { nodesOf } from './inventory';
import { type Doing, UseCaseActions } from './UseCaseActions';
import { UseCaseDialog } from './UseCaseDialog';
import type { Placed } from './useCases';
import s from './useCases.module.css';

/** `add`: the button that opens the form, for those who may. */
export function UseCaseList({ add }: { add: ReactNode }) {
  const { t } = useTranslation('inventory');
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const name = useName();
  const may = useMay();
  const found = useQuery(useCasesQuery);
  const moving = useCall(saveUseCase);
  const [moved, setMoved] = useState('');
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const all = found.data?.map((useCase, index) => ({ ...useCase, Position: index + 1 }));
  if (!all) {
    return (
      <Card title={t('view.useCases')}>
        {found.isError ? <ErrorState error={found.error} onRetry={() => found.refetch()} /> : <LoadingState rows={8} />}
      </Card>
    );
  }
  if (all.length === 0) {
    return (
      <Card>
        <EmptyState title={t('useCases.empty')} action={add}>
          {t('useCases.emptyHint')}
        </EmptyState>
      </Card>
    );
  }
  const move = ({ Target, NameEn, NameZh, Category }: Placed, Position: number) => {
    const Name = name({ en: NameEn, zh: NameZh });
    const told = () => setMoved(t('useCases.moved', { Name, Position, Total: all.length }));
    moving.run({ IsNew: false, Target, NameEn, NameZh, Category, Position: String(Position) }, told);
  };
  const actionsOf = (useCase: Placed) => (
    <UseCaseActions useCase={useCase} isLast={useCase.Position === all.length} onMove={move} onAct={setDoing} />
  );
  const mayChange = may('Operator/SaveUseCase') || may('Operator/DeleteUseCase');
  const Rows = isMobile ? Cards : Table;
  return (
    <Card title={t('view.useCases')}>
      <div className={s.part}>
        <p className={s.soft}>{t('useCases.lead')}</p>
        <Rows all={all} actionsOf={mayChange ? actionsOf : undefined} />
        <p role="status" className="visually-hidden">
          {moved}
        </p>
      </div>
      {doing?.action === 'edit' && <UseCaseDialog useCase={doing.useCase} onClose={close} />}
      {doing?.action === 'delete' && <DeleteUseCase useCase={doing.useCase} onClose={close} />}
    </Card>
  );
}

interface RowsProps {
  all: Placed[];
  /** The buttons of a row; undefined for who may change nothing. */
  actionsOf: ((useCase: Placed) => ReactNode) | undefined;
}

function Table({ all, actionsOf }: RowsProps) {
  const { t } = useTranslation('inventory');
  const number = useNumber();
  return (
    <table className={s.table}>
      <caption className="visually-hidden">{t('view.useCases')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('useCase')}</th>
          <th scope="col">{t('useCases.key')}</th>
          <th scope="col">{t('useCases.category')}</th>
          <th scope="col">{t('view.nodes')}</th>
          {actionsOf && (
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.Target}>
            <th scope="row">
              <Names of={one} />
            </th>
            <td>
              <code>{one.Target}</code>
            </td>
            <td>{one.Category ? <code>{one.Category}</code> : NONE}</td>
            <td>
              <Nodes of={one}>{number(one.Nodes)}</Nodes>
            </td>
            {actionsOf && (
              <td>
                <span className={s.buttons}>{actionsOf(one)}</span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ all, actionsOf }: RowsProps) {
  const { t } = useTranslation('inventory');
  return (
    <ul className={s.cards} aria-label={t('view.useCases')}>
      {all.map((one) => (
        <li key={one.Target}>
          <RowCard low>
            <RowLine>
              <Names of={one} />
              {actionsOf && <RowActions>{actionsOf(one)}</RowActions>}
            </RowLine>
            <RowLine soft>
              <span>
                <code>{one.Target}</code>
                {one.Category && (
                  <>
                    {' · '}
                    <code>{one.Category}</code>
                  </>
                )}
              </span>
              <Nodes of={one}>{t('useCases.nodes', { count: one.Nodes })}</Nodes>
            </RowLine>
          </RowCard>
        </li>
      ))}
    </ul>
  );
}

/** The name in the reader's language, and the other quietly below it. */
function Names({ of: { NameEn, NameZh } }: { of: Placed }) {
  const isChinese = useTranslation().i18n.language === 'zh';
  const names = [
    { name: NameEn, lang: 'en' },
    { name: NameZh, lang: 'zh-CN' },
  ];
  const [own, other] = isChinese ? names.reverse() : names;
  return (
    <span className={s.names}>
      <span lang={own?.lang}>{own?.name}</span>
      {NameEn !== NameZh && <small lang={other?.lang}>{other?.name}</small>}
    </span>
  );
}

/** How many nodes are good for it, with a link to them. */
function Nodes({ of: { Target, NameEn, NameZh, Nodes: count }, children }: { of: Placed; children: ReactNode }) {
  const { t } = useTranslation('inventory');
  const name = useName();
  return (
    <Link
      to={nodesOf({ Target })}
      aria-label={t('useCases.nodesOf', { Name: name({ en: NameEn, zh: NameZh }), count })}
    >
      {children}
    </Link>
  );
}
