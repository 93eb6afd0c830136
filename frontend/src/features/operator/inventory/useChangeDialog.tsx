// What the dialogs have in common that change chosen nodes: the title, how far they have come, and how they stop and close.
import { useTranslation } from 'react-i18next';
import type { useInPieces } from '@/api/useInPieces';
import type { Chosen } from './chosen';
import { HowFar } from './HowFar';

export interface ChangeDialogProps {
  chosen: Chosen;
  /** Called once nodes were changed. */
  onDone: () => void;
  onClose: () => void;
}

type Call = Pick<
  ReturnType<typeof useInPieces>,
  'isBusy' | 'message' | 'isUnanswered' | 'isStopping' | 'reached' | 'stop'
>;

/** Props of the dialog around this call; `of` has its titles. */
export function useChangeDialog(of: 'retire' | 'restore' | 'edit', call: Call, props: ChangeDialogProps) {
  const { t } = useTranslation(['inventory', 'common']);
  const { nodes, all } = props.chosen;
  const [first] = nodes;
  const titleOfRows = () =>
    nodes.length === 1 && first ? t(`${of}.titleOne`, { Ip: first.Ip }) : t(`${of}.title`, { count: nodes.length });
  const titleOfAll = ({ count, isAtLeast }: NonNullable<Chosen['all']>) =>
    isAtLeast ? t(`${of}.titleMore`, { Count: count }) : t(`${of}.titleAll`, { count });
  const action = of === 'edit' ? t('edit.submit') : t(`action.${of}`);
  return {
    call,
    action,
    title: all ? titleOfAll(all) : titleOfRows(),
    foot: all && <HowFar all={all} call={call} action={action} />,
    // Some have changed, which closing does not take back.
    cancel: call.reached && t('common:close'),
    stop: all && { label: t(call.isStopping ? 'pieces.stopping' : 'pieces.stop'), onStop: call.stop },
    onClose: () => {
      if (call.reached) props.onDone();
      props.onClose();
    },
  };
}
