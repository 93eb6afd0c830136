// What chosen nodes are good for from now on: for each use case of the shop, whether they get it, lose it, or stay as they are.
import { useTranslation } from 'react-i18next';
import type { InventoryNode } from '@/api/inventory';
import { SegmentedControl } from '@/ui/Controls';
import { ScrolledBox } from '@/ui/ScrolledTable';
import type { useUseCases } from './useCases';
import s from './useCases.module.css';

export type Choice = 'keep' | 'add' | 'remove';
const CHOICES: Choice[] = ['keep', 'add', 'remove'];

interface UseCaseChoicesProps {
  useCases: NonNullable<ReturnType<typeof useUseCases>['useCases']>;
  /** None if it is not known which nodes they are. */
  nodes: InventoryNode[];
  chosen: Readonly<Record<string, Choice>>;
  error: string | undefined;
  onChoose: (target: string, choice: Choice) => void;
}

export function UseCaseChoices({ useCases, nodes, chosen, error, onChoose }: UseCaseChoicesProps) {
  const { t } = useTranslation('inventory');
  const having = (target: string) => {
    const count = nodes.filter(({ Targets }) => Targets.includes(target)).length;
    if (nodes.length === 1) return t(count > 0 ? 'edit.has' : 'edit.hasNot');
    return t('edit.haveIt', { count, Total: nodes.length });
  };
  return (
    <fieldset className={s.choices}>
      <legend>{t('view.useCases')}</legend>
      <ScrolledBox label={t('view.useCases')}>
        <ul>
          {useCases.map(({ Target, label }) => (
            <li key={Target}>
              <span className={s.names}>
                <span>{label}</span>
                {nodes.length > 0 && <small>{having(Target)}</small>}
              </span>
              <SegmentedControl<Choice>
                label={label}
                value={chosen[Target] ?? 'keep'}
                segments={CHOICES.map((value) => ({ value, label: t(`edit.${value}`) }))}
                onChange={(choice) => onChoose(Target, choice)}
              />
            </li>
          ))}
        </ul>
      </ScrolledBox>
      {error ? (
        <p className={s.error} role="alert">
          {error}
        </p>
      ) : (
        <p className={s.hint}>{t('edit.useCasesHint')}</p>
      )}
    </fieldset>
  );
}
