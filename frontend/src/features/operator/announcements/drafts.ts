// Versions of the terms and the privacy policy that are being written, kept for the tab until they are published or discarded.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { LegalKind } from '@/core/constants.gen';
import { onSignOut } from '@/stores/user';

export interface Bodies {
  BodyEn: string;
  BodyZh: string;
}

interface DraftsState {
  drafts: Partial<Record<LegalKind, Bodies>>;
  keep: (kind: LegalKind, draft: Bodies) => void;
  drop: (kind: LegalKind) => void;
}

export const useDrafts = create<DraftsState>()(
  persist(
    (set) => ({
      drafts: {},
      keep: (kind, draft) => set(({ drafts }) => ({ drafts: { ...drafts, [kind]: draft } })),
      drop: (kind) => set(({ drafts: { [kind]: _, ...drafts } }) => ({ drafts })),
    }),
    {
      name: 'legal-drafts',
      storage: createJSONStorage(() => sessionStorage),
      partialize: ({ drafts }) => ({ drafts }),
    },
  ),
);

onSignOut(() => useDrafts.setState({ drafts: {} }));
