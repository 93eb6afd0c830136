// What to do when the server can be reached again after it could not.
import { useEffect, useRef } from 'react';
import { useConnection } from '@/api/connection';

/** Runs once for each recovery that happens while the component is shown. */
export function useRecovery(recover: () => void): void {
  const lost = useConnection((state) => state.lost);
  const wasLost = useRef(false);
  const latest = useRef(recover);
  latest.current = recover;
  useEffect(() => {
    if (lost) wasLost.current = true;
    else if (wasLost.current) {
      wasLost.current = false;
      latest.current();
    }
  }, [lost]);
}
