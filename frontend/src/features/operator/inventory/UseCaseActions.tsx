// The buttons of a use case: to move it, and a menu with what opens a dialog.
import { ArrowDown, ArrowUp, DotsThree, PencilSimple, Trash } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '@/stores/may';
import { IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Overlay';
import { useName } from '@/ui/texts';
import type { Placed } from './useCases';
import s from './useCases.module.css';

type Action = 'edit' | 'delete';

export interface Doing {
  action: Action;
  useCase: Placed;
}

const CALLS: Record<Action, string> = { edit: 'Operator/SaveUseCase', delete: 'Operator/DeleteUseCase' };
const ICONS = { edit: PencilSimple, delete: Trash };

interface UseCaseActionsProps {
  useCase: Placed;
  isLast: boolean;
  onMove: (useCase: Placed, position: number) => void;
  onAct: (doing: Doing) => void;
}

export function UseCaseActions({ useCase, isLast, onMove, onAct }: UseCaseActionsProps) {
  const { t } = useTranslation('inventory');
  const may = useMay();
  const { NameEn, NameZh, Position } = useCase;
  const Name = useName()({ en: NameEn, zh: NameZh });
  const actions = (['edit', 'delete'] as const).filter((action) => may(CALLS[action]));
  return (
    <>
      {may(CALLS.edit) && (
        <>
          <MoveButton
            label={t('useCases.moveUp', { Name })}
            isAtEnd={Position === 1}
            onClick={() => onMove(useCase, Position - 1)}
          >
            <ArrowUp size={16} />
          </MoveButton>
          <MoveButton
            label={t('useCases.moveDown', { Name })}
            isAtEnd={isLast}
            onClick={() => onMove(useCase, Position + 1)}
          >
            <ArrowDown size={16} />
          </MoveButton>
        </>
      )}
      <Menu
        trigger={
          <IconButton size="small" label={t('useCases.actionsOf', { Name })}>
            <DotsThree size={18} weight="bold" />
          </IconButton>
        }
        items={() =>
          actions.map((action) => {
            const Icon = ICONS[action];
            return {
              key: action,
              label: t(`useCases.${action}`),
              icon: <Icon size={17} aria-hidden="true" />,
              danger: action === 'delete',
              onSelect: () => onAct({ action, useCase }),
            };
          })
        }
      />
    </>
  );
}

interface MoveButtonProps {
  label: string;
  isAtEnd: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** At the end of the list it does nothing, but keeps the focus that moved it there. */
function MoveButton({ isAtEnd, onClick, ...button }: MoveButtonProps) {
  return (
    <IconButton
      size="small"
      className={s.move}
      aria-disabled={isAtEnd}
      onClick={() => !isAtEnd && onClick()}
      {...button}
    />
  );
}
