// Search results: groups of options, with one active option.
import { useTranslation } from 'react-i18next';
import type { Group, Result } from './results';
import s from './search.module.css';

interface ResultListProps {
  id: string;
  groups: Group[];
  activeId: string | undefined;
  onPoint: (result: Result) => void;
  onChoose: (result: Result) => void;
}

/** Ids must not contain spaces. */
export const optionId = (listId: string, result: Result) => `${listId}-${result.id.replace(/\s/g, '-')}`;

export function ResultList({ id, groups, activeId, onPoint, onChoose }: ResultListProps) {
  const { t } = useTranslation('search');
  return (
    <div
      role="listbox"
      id={id}
      aria-label={t('results')}
      className={s.results}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <div id={`${id}-${group.id}`} role="presentation" className={s.title}>
            {group.title}
          </div>
          {group.results.map((result) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
            <div
              key={result.id}
              id={optionId(id, result)}
              role="option"
              aria-selected={result.id === activeId}
              className={s.option}
              data-aside={result.isAside || undefined}
              onPointerMove={() => result.id !== activeId && onPoint(result)}
              onClick={() => onChoose(result)}
            >
              <span className={s.icon} aria-hidden="true">
                {result.icon}
              </span>
              <span className={s.label}>{result.label}</span>
              {result.note && <span className={s.note}>{result.note}</span>}
              {result.aside && <span className={s.aside}>{result.aside}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
