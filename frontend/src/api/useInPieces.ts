// Sends a change of many rows for a screen, piece by piece: it can be stopped in between, and a further attempt goes on from there.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Change, InPieces, Reached } from './calls';
import { useCall } from './useCall';

const NOTHING: Reached = { changed: 0, left: 0, after: 0 };

/** `body`: what is sent at the next attempt. With another body, all rows are changed again. */
export function useInPieces<Body extends object>(change: Change<InPieces<Body>, Reached>, body: Body) {
  const call = useCall(change);
  const { sending } = call;
  const [attempt, setAttempt] = useState<{ text: string; reached: Reached }>();
  const [stopped, setStopped] = useState<AbortController>();
  const text = JSON.stringify(sending?.body ?? body);
  /** Where the change has come to, unless it has not begun or is at its end. */
  const reached = attempt?.text === text && attempt.reached.after !== null ? attempt.reached : undefined;

  // Nobody could stop it once the screen is left.
  useEffect(() => () => sending?.stopping.abort(), [sending]);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const pieces = (): InPieces<Body> => ({
    body,
    from: reached ?? NOTHING,
    onPiece: (next) => setAttempt({ text, reached: next }),
    stopping: new AbortController(),
  });
  /** The screen shows that it was stopped, as long as there is a screen. */
  const atEnd = (onDone: (reached: Reached) => unknown) => (last: Reached) => {
    if (last.after === null || !isShown.current) onDone(last);
  };

  return {
    ...call,
    /** `onDone` runs at the end, or at the stop of a change whose screen was left. */
    run: (onDone: (reached: Reached) => unknown) => call.run(pieces(), atEnd(onDone)),
    submit: (event: FormEvent<HTMLFormElement>, onDone: (reached: Reached) => unknown) =>
      call.submit(event, { body: pieces(), onDone: atEnd(onDone) }),
    reached,
    stop: () => {
      sending?.stopping.abort();
      setStopped(sending?.stopping);
    },
    isStopping: sending !== undefined && stopped === sending.stopping,
  };
}
