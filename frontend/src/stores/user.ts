// The signed-in user, kept in local storage; wallet and plan info are kept for the browser session.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { bindSession, post, type Schemas } from '@/api/client';
import {
  HOME_PATH,
  type Language,
  SESSION_STORE_KEY,
  SIDEBAR_OPEN_MIN_WIDTH,
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
  signOut: () => void;
  endSession: () => void;
  setSidebarOpen: (isOpen: boolean) => void;
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

const signOutHandlers: (() => void)[] = [];

/** Registers a reset for another store, run on sign-out, because a different user may sign in next. */
export function onSignOut(forget: () => void): void {
  signOutHandlers.push(forget);
}

/** Known before the first render: a component hears of a store's change only after it has been painted. */
const startsOpen = () => window.matchMedia(`(min-width: ${SIDEBAR_OPEN_MIN_WIDTH}px)`).matches;

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
      signOut: () => {
        set({ info: null, center: null, hasEnded: false });
        useSessionStore.setState({ wallet: null, planInfo: null });
        for (const forget of signOutHandlers) forget();
      },
      endSession: () => {
        // Several calls may report it.
        if (!get().info) return;
        get().signOut();
        set({ hasEnded: true });
      },
      setSidebarOpen: (sidebarOpen) => set({ sidebarOpen }),
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
export const START_PATH = HOME_PATH;

bindSession({
  token: () => useUserStore.getState().info?.Token,
  // The layout then redirects to the sign-in screen.
  end: () => useUserStore.getState().endSession(),
});

/** Ends the session on the server too; locally it ends even if that fails. */
export async function signOut(): Promise<void> {
  await post('User/Logout', undefined, { silent: true }).catch(() => {});
  useUserStore.getState().signOut();
}

/** Emails use it as well: fetching the user tells the server the language. */
export async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  await useUserStore
    .getState()
    .loadInfo()
    .catch(() => {});
}
