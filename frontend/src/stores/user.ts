// The signed-in user, kept in local storage for all tabs; a customer whom an operator views, wallet and plan info are kept for one tab.
import { create } from 'zustand';
import { createJSONStorage, type PersistStorage, persist, type StorageValue } from 'zustand/middleware';
import { bindSession, post, type Schemas } from '@/api/client';
import {
  type Language,
  MOBILE_MAX_WIDTH,
  OPERATOR_PATH,
  SESSION_STORE_KEY,
  SIDEBAR_KEY,
  SIDEBAR_OPEN_MIN_WIDTH,
  STAFF_START_PATHS,
  START_PATHS,
  USER_STORE_KEY,
} from '@/core/constants.gen';
import { changeLanguage } from '@/i18n';
import { keepDeviceId } from './device';

export type UserInfo = Schemas['UserInfo'] & { Token: string };
export type Wallet = Schemas['Wallet'];
export type Center = Schemas['Center'];
export type PlanInfo = Schemas['Plan'][];
/** An operator's view of the shop as this customer. */
export type View = Pick<Schemas['CustomerView'], 'Email' | 'ExpiresAt'> & { AccountId: number };

interface UserState {
  info: UserInfo | null;
  /** Set in a tab in which an operator views the shop as a customer, who is then the user. */
  view: View | null;
  center: Center | null;
  sidebarOpen: boolean;
  /** The session expired: after signing in again, the user returns to the same page. */
  hasEnded: boolean;
  /** Who signed in last: what this tab keeps after the end of a session is theirs. */
  lastUserId: number | undefined;
  signIn: (started: Schemas['SessionStarted']) => void;
  /** Ends the session here, or the operator's view. `hasEnded`: the server ended the session. */
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

/** Clears what other stores and this tab know of the account. */
function forgetAccount(hasEnded = false): void {
  useSessionStore.setState({ wallet: null, planInfo: null });
  for (const forget of signOutHandlers) forget(hasEnded);
}

type Stored = Pick<UserState, 'info' | 'view'> & Partial<Pick<UserState, 'lastUserId'>>;

const readStored = (name: string): StorageValue<Stored> | null =>
  JSON.parse(sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? 'null');

/** A view is kept for its tab, where it takes the place of the operator's own session, which all other tabs have. */
const storage: PersistStorage<Stored> = {
  getItem: readStored,
  setItem: (name, value) => {
    const text = JSON.stringify(value);
    if (!value.state.view) localStorage.setItem(name, text);
    // Once it has ended, a late answer does not bring it back.
    else if (sessionStorage.getItem(name)) sessionStorage.setItem(name, text);
  },
  removeItem: (name) => localStorage.removeItem(name),
};

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
      view: null,
      center: null,
      sidebarOpen: startsOpen(),
      hasEnded: false,
      lastUserId: undefined,
      signIn: ({ Token, User, DeviceId }) => {
        keepDeviceId(DeviceId);
        const before = get().info?.UserId ?? get().lastUserId;
        if (before !== undefined && before !== User.UserId) forgetAccount();
        set({ info: { ...User, Token }, hasEnded: false });
      },
      signOut: (hasEnded = false) => {
        const { view, info, lastUserId } = get();
        if (view) return leaveView(view);
        set({ info: null, center: null, hasEnded, lastUserId: info?.UserId ?? lastUserId });
        forgetAccount(hasEnded);
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
    { name: USER_STORE_KEY, storage, partialize: ({ info, view, lastUserId }) => ({ info, view, lastUserId }) },
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
export const startPath = () => startPathOf(useUserStore.getState().info);

function startPathOf(user: Pick<UserInfo, 'Level' | 'Role'> | null) {
  const ofRole = user?.Role ? STAFF_START_PATHS[user.Role] : undefined;
  return ofRole ?? START_PATHS[user?.Level ?? 0] ?? '/';
}

bindSession({
  token: () => useUserStore.getState().info?.Token,
  // The layout then redirects to the sign-in screen.
  end: () => useUserStore.getState().endSession(),
});

/** Begins an operator's view of a customer in this tab: the page loads again as the customer. */
export async function beginView(
  { Token, Email, ExpiresAt }: Schemas['CustomerView'],
  AccountId: number,
): Promise<void> {
  const user = await post('User/GetUserInfo', undefined, { token: Token });
  forgetAccount();
  const state: Stored = { info: { ...user, Token }, view: { Email, ExpiresAt, AccountId } };
  sessionStorage.setItem(USER_STORE_KEY, JSON.stringify({ state, version: 0 }));
  window.location.replace(startPathOf(user));
}

/** The page loads again as the operator, at the customer whom they have viewed. */
function leaveView({ AccountId }: View): void {
  // Calls that were under way report the end as well.
  if (!sessionStorage.getItem(USER_STORE_KEY)) return;
  forgetAccount();
  sessionStorage.removeItem(USER_STORE_KEY);
  window.location.replace(`${OPERATOR_PATH}/accounts/${AccountId}`);
}

/** Whether an operator views the shop as the user: what the app would change by itself stays as it is. */
export const isViewing = () => useUserStore.getState().view !== null;

/** The user whom the last tab left signed in; in a view, its customer. */
function storedInfo(): UserInfo | null {
  try {
    return readStored(USER_STORE_KEY)?.state?.info ?? null;
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
    forgetAccount();
    window.location.reload();
  } else useUserStore.persist.rehydrate();
}

globalThis.addEventListener?.('storage', ({ key }) => {
  // Without a key, everything was cleared.
  if (key === USER_STORE_KEY || key === null) followOtherTabs();
});
// A page that the browser had frozen hears of nothing.
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && followOtherTabs());

/** Ends the session, or the view, on the server too; locally it ends even if that fails. */
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
