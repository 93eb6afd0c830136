// Global search: one field, with matching screens, actions and rows of lists.
import { MagnifyingGlass, X } from '@phosphor-icons/react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SEARCH_MAX_LENGTH, SEARCH_PAIR_LENGTH, SEARCH_PART_LENGTH } from '@/core/constants.gen';
import { IconButton } from '@/ui/Button';
import { TopSheet } from '@/ui/Overlay';
import { optionId, ResultList } from './ResultList';
import type { Group, Result } from './results';
import s from './search.module.css';
import { useActions } from './useActions';
import { isLongEnough, useLists } from './useLists';
import { useScreens } from './useScreens';

function useGroups(typed: string): Group[] {
  const { t } = useTranslation('search');
  return [
    { id: 'screens', title: t('screens'), results: useScreens(typed) },
    { id: 'actions', title: t('actions'), results: useActions(typed) },
    ...useLists(typed),
  ];
}

/** The active option: the first one, until the user moves it; new text resets it. */
function usePointed(typed: string, results: Result[]) {
  const [pointed, setPointed] = useState({ of: typed, id: results[0]?.id });
  const known = pointed.of === typed ? results.find(({ id }) => id === pointed.id) : undefined;
  const active = known ?? results[0];
  const point = (result: Result | undefined) => setPointed({ of: typed, id: result?.id });
  // Results that arrive later do not change the active option.
  useEffect(() => setPointed({ of: typed, id: active?.id }), [typed, active?.id]);
  return { active, point };
}

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['search', 'common']);
  const navigate = useNavigate();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const hasLeft = useRef(false);
  const [text, setText] = useState('');
  // Excludes text that is still being composed.
  const [typed, setTyped] = useState('');
  const groups = useGroups(typed);
  const found = groups.filter((group) => group.results.length > 0);
  const results = found.flatMap((group) => group.results);
  const { active, point } = usePointed(typed, results);
  const isPending = groups.some((group) => group.isPending);

  const choose = (result: Result) => {
    if (result.stays) return result.act?.();
    hasLeft.current = Boolean(result.to);
    onClose();
    if (result.to) navigate(result.to);
    if (result.href) window.open(result.href, '_blank', 'noopener,noreferrer');
    result.act?.();
  };

  const moveTo = (index: number) => {
    const result = results.at(index % results.length);
    if (!result) return;
    point(result);
    const option = document.getElementById(optionId(listId, result));
    option?.scrollIntoView?.({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter commits an IME composition; Safari reports it as key code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const at = active ? results.indexOf(active) : -1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at <= 0 ? -1 : at - 1),
      Home: () => moveTo(0),
      End: () => moveTo(-1),
      Enter: () => active && choose(active),
    };
    const move = moves[event.key];
    if (!move || event.shiftKey || event.altKey) return;
    event.preventDefault();
    move();
  };

  // The lists were not searched for this text.
  const isShort = typed !== '' && !isLongEnough(typed);
  const status = () => {
    if (isPending) return t('searching');
    if (results.length > 0) return t('found', { count: results.length });
    return isShort ? t('short', { Min: SEARCH_PART_LENGTH, Pair: SEARCH_PAIR_LENGTH }) : t('nothing', { Text: typed });
  };
  return (
    <TopSheet
      label={t('title')}
      onClose={onClose}
      landing={() => (hasLeft.current ? document.getElementById('main') : null)}
    >
      <div className={s.head} aria-busy={isPending}>
        <MagnifyingGlass size={18} aria-hidden="true" />
        <input
          ref={field}
          role="combobox"
          aria-label={t('title')}
          aria-autocomplete="list"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          placeholder={t('field')}
          maxLength={SEARCH_MAX_LENGTH}
          inputMode="search"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={({ target, nativeEvent }) => {
            setText(target.value);
            if (!(nativeEvent as InputEvent).isComposing) setTyped(target.value.trim());
          }}
          onCompositionEnd={(event) => setTyped(event.currentTarget.value.trim())}
          onKeyDown={onKeyDown}
        />
        <IconButton size="small" label={t('common:close')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      {/* On phones, scrolling through the results hides the keyboard. */}
      <div className={s.body} onTouchMove={() => field.current?.blur()}>
        {results.length > 0 && (
          <ResultList id={listId} groups={found} activeId={active?.id} onPoint={point} onChoose={choose} />
        )}
        <p role="status" className={results.length > 0 ? 'visually-hidden' : s.nothing}>
          {status()}
        </p>
        {typed !== '' && !isShort && !isPending && results.length === 0 && (
          <p className={s.hint} data-alone>
            {t('nothingHint')}
          </p>
        )}
        {isShort && results.length > 0 && (
          <p className={s.hint}>{t('short', { Min: SEARCH_PART_LENGTH, Pair: SEARCH_PAIR_LENGTH })}</p>
        )}
      </div>
      <div className={s.keys} aria-hidden="true">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> {t('keys.move')}
        </span>
        <span>
          <kbd>↵</kbd> {t('keys.open')}
        </span>
        <span>
          <kbd>Esc</kbd> {t('keys.close')}
        </span>
      </div>
    </TopSheet>
  );
}
