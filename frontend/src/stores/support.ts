// Whether the support chat is open, and the number of unread answers. The chat itself is a feature.
import { create } from 'zustand';
import { post } from '@/api/client';
import { onSignOut } from './user';

interface SupportState {
  /** A window, a bubble in the corner, or closed. */
  chat: 'closed' | 'minimised' | 'open';
  unread: number;
  openChat: () => void;
  minimiseChat: () => void;
  closeChat: () => void;
  setUnread: (unread: number) => void;
  /** Polls while the chat is closed; an open chat updates itself. */
  loadUnread: () => Promise<void>;
}

export const useSupportStore = create<SupportState>((set) => ({
  chat: 'closed',
  unread: 0,
  openChat: () => set({ chat: 'open' }),
  minimiseChat: () => set({ chat: 'minimised' }),
  closeChat: () => set({ chat: 'closed' }),
  setUnread: (unread) => set({ unread }),
  loadUnread: async () => {
    const { Unread } = await post('Support/GetUnread', undefined, { silent: true });
    set({ unread: Unread });
  },
}));

onSignOut(() => useSupportStore.setState({ chat: 'closed', unread: 0 }));
