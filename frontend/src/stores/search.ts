// Whether the search over all screens is open. It may be asked for while the first screen is still on its way.
import { create } from 'zustand';
import { onSignOut } from './user';

interface SearchState {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

export const useSearchStore = create<SearchState>((set) => ({
  isOpen: false,
  setOpen: (isOpen) => set({ isOpen }),
}));

onSignOut(() => useSearchStore.setState({ isOpen: false }));
