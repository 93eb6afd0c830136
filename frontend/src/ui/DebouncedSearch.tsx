// A search field for server-side search.
import { useEffect, useRef, useState } from 'react';
import { SearchField } from './Controls';

const DEBOUNCE_MS = 250;

/** Searches once the user pauses typing. */
export function DebouncedSearch({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const latest = useRef({ value, onSearch });
  latest.current = { value, onSearch };
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(value);
  const ask = (text: string) => {
    clearTimeout(pause.current);
    asked.current = text.trim();
    if (asked.current !== latest.current.value) latest.current.onSearch(asked.current);
  };
  // A search from elsewhere; the own one must not take back what was typed since.
  useEffect(() => {
    if (value !== asked.current) setTyped(value);
    asked.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  return (
    <SearchField
      label={label}
      value={typed}
      onChange={(event) => {
        const { value: text } = event.target;
        setTyped(text);
        clearTimeout(pause.current);
        pause.current = setTimeout(() => ask(text), DEBOUNCE_MS);
      }}
      // Searches at once on blur: a search that fires after a link was followed would lead back.
      onBlur={() => ask(typed)}
    />
  );
}
