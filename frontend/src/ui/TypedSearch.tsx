// A field for a search that the server does.
import { useEffect, useRef, useState } from 'react';
import { SearchField } from './Controls';

const TYPING_MS = 250;

/** A search that asks when somebody pauses, not at every letter. */
export function TypedSearch({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const pause = setTimeout(() => latest.current(typed.trim()), TYPING_MS);
    return () => clearTimeout(pause);
  }, [typed]);
  return <SearchField label={label} value={typed} onChange={(event) => setTyped(event.target.value)} />;
}
