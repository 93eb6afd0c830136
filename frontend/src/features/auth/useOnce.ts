// Does something once when a screen opens, also where effects run twice.
import { useEffect, useRef } from 'react';

export function useOnce(work: () => void): void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever changes later
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    work();
  }, []);
}
