// The `Open` parameter of an address: /my-account/api-keys?Open=add opens the form for a new key.
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

const OPEN_KEY = 'Open';
const ADD = 'add';

/** Address of a screen that opens its form for a new entry. */
export const addFormAddress = (path: string) => `${path}?${OPEN_KEY}=${ADD}`;

/** Opens the form once the screen is ready, and removes the parameter, so that a reload or back navigation does not reopen it. */
export function useOpenAddForm(openForm: () => void, isReady = true): void {
  const [parameters, setParameters] = useSearchParams();
  const latest = useRef(openForm);
  latest.current = openForm;
  const isAsked = isReady && parameters.get(OPEN_KEY) === ADD;
  useEffect(() => {
    if (!isAsked) return;
    setParameters(
      (now) => {
        const rest = new URLSearchParams(now);
        rest.delete(OPEN_KEY);
        return rest;
      },
      { replace: true },
    );
    latest.current();
  }, [isAsked, setParameters]);
}
