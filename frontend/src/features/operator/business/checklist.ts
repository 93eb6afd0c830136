// Whether the operator hid the checklist, in this browser.
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface ChecklistState {
  isHidden: boolean;
  setHidden: (isHidden: boolean) => void;
}

export const useChecklist = create<ChecklistState>()(
  persist((set) => ({ isHidden: false, setHidden: (isHidden) => set({ isHidden }) }), { name: 'checklist' }),
);
