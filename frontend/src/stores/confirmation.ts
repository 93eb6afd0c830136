// Calls that wait for a two-factor code: they are repeated once the user has entered one.
import { create } from 'zustand';
import { bindConfirmation } from '@/api/client';
import { onSignOut } from './user';

interface ConfirmationState {
  /** Set while the prompt is open; receives the result. */
  settle: ((isConfirmed: boolean) => void) | null;
}

export const useConfirmation = create<ConfirmationState>(() => ({ settle: null }));

let asked: Promise<boolean> | undefined;

/** Opens one prompt for all calls that need a code at the same time. */
export function ask(): Promise<boolean> {
  asked ??= new Promise((answer) => {
    useConfirmation.setState({
      settle: (isConfirmed) => {
        asked = undefined;
        useConfirmation.setState({ settle: null });
        answer(isConfirmed);
      },
    });
  });
  return asked;
}

bindConfirmation(ask);
onSignOut(() => useConfirmation.getState().settle?.(false));
