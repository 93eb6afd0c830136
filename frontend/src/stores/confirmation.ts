// Calls that wait for a two-factor code: they are repeated when the person in front of the screen has entered one.
import { create } from 'zustand';
import { bindConfirmation } from '@/api/client';
import { onSignOut } from './user';

interface ConfirmationState {
  /** Present while somebody is asked for a code; takes what came of it. */
  settle: ((isConfirmed: boolean) => void) | null;
}

export const useConfirmation = create<ConfirmationState>(() => ({ settle: null }));

let asked: Promise<boolean> | undefined;

/** One question for all calls that want a code at the same time. */
function ask(): Promise<boolean> {
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
