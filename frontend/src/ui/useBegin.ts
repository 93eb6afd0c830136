// Addresses that begin something on a screen: /my-account/api-keys?Begin=add opens the form of a new key.
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

const BEGIN_KEY = 'Begin';
const ADD = 'add';

/** The address of a screen that begins with its form for something new. */
export const addressOfNew = (path: string) => `${path}?${BEGIN_KEY}=${ADD}`;

/** Begins what the address asks for, once the screen can; a reload and the way back ask for nothing. */
export function useBegin(add: () => void, isReady = true): void {
  const [parameters, setParameters] = useSearchParams();
  const begin = useRef(add);
  begin.current = add;
  const isAsked = isReady && parameters.get(BEGIN_KEY) === ADD;
  useEffect(() => {
    if (!isAsked) return;
    setParameters(
      (now) => {
        const rest = new URLSearchParams(now);
        rest.delete(BEGIN_KEY);
        return rest;
      },
      { replace: true },
    );
    begin.current();
  }, [isAsked, setParameters]);
}
