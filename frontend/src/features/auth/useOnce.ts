// Runs an effect once when a screen opens, also in strict mode.
import { useEffect, useRef } from 'react';

export function useOnce(work: () => void): void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once by design
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    work();
  }, []);
}
