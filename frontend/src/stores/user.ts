// The signed-in user, kept in local storage; wallet and plan info are kept for the browser session.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { bindSession, post, type Schemas } from '@/api/client';
import {
  type Language,
  MOBILE_MAX_WIDTH,
  SESSION_STORE_KEY,
  SIDEBAR_KEY,
  SIDEBAR_OPEN_MIN_WIDTH,
  START_PATHS,
  USER_STORE_KEY,
} from '@/core/constants.gen';
import { changeLanguage } from '@/i18n';
import { keepDeviceId } from './device';

export type UserInfo = Schemas['UserInfo'] & { Token: string };
export type Wallet = Schemas['Wallet'];
export type Center = Schemas['Center'];
export type PlanInfo = Schemas['Plan'][];

interface UserState {
  info: UserInfo | null;
  center: Center | null;
  sidebarOpen: boolean;
  /** The session expired: after signing in again, the user returns to the same page. */
  hasEnded: boolean;
  signIn: (started: Schemas['SessionStarted']) => void;
  /** `hasEnded`: the server ended the session. */
  signOut: (hasEnded?: boolean) => void;
  endSession: () => void;
  setSidebarOpen: (isOpen: boolean) => void;
  /** Opens or collapses the sidebar beside the screens, and remembers it. */
  chooseSidebar: (isOpen: boolean) => void;
  /** Fetches the account details. */
  loadCenter: () => Promise<void>;
  /** Fetches the user again: an operator may have changed the account's level or discount. */
  loadInfo: () => Promise<void>;
}

interface SessionState {
  wallet: Wallet | null;
  planInfo: PlanInfo | null;
  loadWallet: () => Promise<void>;
  loadPlanInfo: () => Promise<void>;
}

const signOutHandlers: ((hasEnded: boolean) => void)[] = [];

/** Registers a reset for another store, run on sign-out, because a different user may sign in next. */
export function onSignOut(forget: (hasEnded: boolean) => void): void {
  signOutHandlers.push(forget);
}

const fits = (query: string) => window.matchMedia(query).matches;

/**
 * As the user left it; otherwise open in wide windows. The drawer of phones starts closed. Known before the first render: a component hears of a
 * store's change only after it has been painted.
 */
export function startsOpen(): boolean {
  if (fits(`(max-width: ${MOBILE_MAX_WIDTH}px)`)) return false;
  // There is no storage while the first screens are prerendered.
  const kept = window.localStorage?.getItem(SIDEBAR_KEY);
  return kept ? kept === 'open' : fits(`(min-width: ${SIDEBAR_OPEN_MIN_WIDTH}px)`);
}

export const useUserStore = create<UserState>()(
  persist(
    (set, get) => ({
      info: null,
      center: null,
      sidebarOpen: startsOpen(),
      hasEnded: false,
      signIn: ({ Token, User, DeviceId }) => {
        keepDeviceId(DeviceId);
        set({ info: { ...User, Token }, hasEnded: false });
      },
      signOut: (hasEnded = false) => {
        set({ info: null, center: null, hasEnded });
        useSessionStore.setState({ wallet: null, planInfo: null });
        for (const forget of signOutHandlers) forget(hasEnded);
      },
      endSession: () => {
        // Several calls may report it.
        if (get().info) get().signOut(true);
      },
      setSidebarOpen: (sidebarOpen) => set({ sidebarOpen }),
      chooseSidebar: (sidebarOpen) => {
        localStorage.setItem(SIDEBAR_KEY, sidebarOpen ? 'open' : 'closed');
        set({ sidebarOpen });
      },
      loadCenter: async () => {
        set({ center: await post('User/GetCenter', undefined, { silent: true }) });
      },
      loadInfo: async () => {
        const token = get().info?.Token;
        const user = await post('User/GetUserInfo', undefined, { silent: true });
        const { info } = get();
        // A different user may have signed in meanwhile.
        if (info && info.Token === token) set({ info: { ...user, Token: info.Token } });
      },
    }),
    { name: USER_STORE_KEY, partialize: ({ info }) => ({ info }) },
  ),
);

export const useSessionStore = create<SessionState>()(
  persist(
    (set) => ({
      wallet: null,
      planInfo: null,
      loadWallet: async () => {
        set({ wallet: await post('User/GetWallet', undefined, { silent: true }) });
      },
      loadPlanInfo: async () => {
        set({ planInfo: await post('Ips/userGetUserVerPlan', undefined, { silent: true }) });
      },
    }),
    {
      name: SESSION_STORE_KEY,
      storage: createJSONStorage(() => sessionStorage),
      partialize: ({ wallet, planInfo }) => ({ wallet, planInfo }),
    },
  ),
);

/** The account's wholesale discount in hundredths of a percent; 0 for all but resellers. */
export const useResellerDiscount = () => useUserStore((state) => state.info?.ResellerBasisPoints ?? 0);

/** Where sign-in leads unless the address names a target. */
export const startPath = () => START_PATHS[useUserStore.getState().info?.Level ?? 0] ?? '/';

bindSession({
  token: () => useUserStore.getState().info?.Token,
  // The layout then redirects to the sign-in screen.
  end: () => useUserStore.getState().endSession(),
});

/** The user whom the last tab left signed in. */
function storedInfo(): UserInfo | null {
  try {
    return JSON.parse(localStorage.getItem(USER_STORE_KEY) ?? 'null')?.state?.info ?? null;
  } catch {
    return null;
  }
}

/** Signs out here if another tab has; if another user has signed in there, loads the page for them. */
export function followOtherTabs(): void {
  const { info } = useUserStore.getState();
  const stored = storedInfo();
  if (info?.Token === stored?.Token) return;
  if (info && !stored) useUserStore.getState().signOut();
  else if (info && stored && info.UserId !== stored.UserId) {
    useSessionStore.setState({ wallet: null, planInfo: null });
    window.location.reload();
  } else useUserStore.persist.rehydrate();
}

globalThis.addEventListener?.('storage', ({ key }) => {
  // Without a key, everything was cleared.
  if (key === USER_STORE_KEY || key === null) followOtherTabs();
});
// A page that the browser had frozen hears of nothing.
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && followOtherTabs());

/** Ends the session on the server too; locally it ends even if that fails. */
export async function signOut(): Promise<void> {
  await post('User/Logout', undefined, { silent: true }).catch(() => {});
  useUserStore.getState().signOut();
}

// Fetch again what a call has changed; if that fails, what is shown stays.
export const refreshWallet = () =>
  useSessionStore
    .getState()
    .loadWallet()
    .catch(() => {});
export const refreshInfo = () =>
  useUserStore
    .getState()
    .loadInfo()
    .catch(() => {});
export const refreshCenter = () =>
  useUserStore
    .getState()
    .loadCenter()
    .catch(() => {});

/** Emails use it as well: fetching the user tells the server the language. */
export async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  await refreshInfo();
}
