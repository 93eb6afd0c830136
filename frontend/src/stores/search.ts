// Whether the search is open. It can be requested before the first screen is loaded.
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
