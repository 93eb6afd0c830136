// Actions that the search offers, by permission.
import {
  ArrowsClockwise,
  ArrowUUpLeft,
  BookOpen,
  ChatCircleDots,
  Code,
  Database,
  Gift,
  type Icon,
  Key as KeyIcon,
  Lifebuoy,
  ListBullets,
  ListChecks,
  LockKey,
  MoonStars,
  Password,
  Receipt,
  ShieldCheck,
  ShoppingCart,
  SignOut,
  Sun,
  Translate,
  UserPlus,
  Wallet,
  WebhooksLogo,
} from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { API_BASE, OPERATOR_PATH } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useMay } from '@/stores/may';
import { useIsSuspended } from '@/stores/sidebar';
import { useSupportStore } from '@/stores/support';
import { chooseLanguage, isViewing, signOut } from '@/stores/user';
import { docsUrl } from '@/ui/docs';
import { useTheme } from '@/ui/ThemeSwitch';
import { addFormAddress } from '@/ui/useOpenAddForm';
import { matching, type Named, type Result } from './results';
import { useMayOpen } from './useMayOpen';

type Key = keyof typeof import('../../../../locales/en/search.json')['action'];

/** An action that opens a screen. */
interface Leading {
  key: Key;
  Icon: Icon;
  path: string;
  /** Filters and sorting of the screen. */
  query?: string;
  /** Opens the form for a new entry. */
  adds?: true;
  /** Changes nothing. */
  reads?: true;
  /** The operators' call that it leads to. */
  call?: string;
}
const LEADING: Leading[] = [
  { key: 'buyStatic', Icon: ShoppingCart, path: '/static-residential-proxies/order' },
  { key: 'buyTraffic', Icon: Database, path: '/residential-proxies/order' },
  { key: 'topUp', Icon: Wallet, path: '/billing/wallet' },
  { key: 'invoices', Icon: Receipt, path: '/billing/transactions', query: '?view=invoices', reads: true },
  { key: 'refunds', Icon: ArrowUUpLeft, path: '/billing/transactions', query: '?Kind=refund', reads: true },
  { key: 'refundOrder', Icon: ArrowUUpLeft, path: `${OPERATOR_PATH}/orders`, call: 'Operator/RefundOrder' },
  { key: 'renew', Icon: ArrowsClockwise, path: '/static-residential-proxies/proxy-list', query: '?Sort=ExpiresAt' },
  { key: 'whitelistStatic', Icon: ListChecks, path: '/static-residential-proxies/proxy-setup' },
  { key: 'whitelistUsers', Icon: ListChecks, path: '/residential-proxies/users' },
  { key: 'addUser', Icon: UserPlus, path: '/residential-proxies/users', adds: true },
  { key: 'generate', Icon: ListBullets, path: '/residential-proxies/endpoint-generator' },
  { key: 'addKey', Icon: KeyIcon, path: '/my-account/api-keys', adds: true },
  { key: 'addWebhook', Icon: WebhooksLogo, path: '/my-account/webhooks', adds: true },
  { key: 'password', Icon: Password, path: '/my-account/password' },
  { key: 'twoFactor', Icon: LockKey, path: '/my-account/password' },
  { key: 'sessions', Icon: ShieldCheck, path: '/my-account/password' },
  { key: 'invite', Icon: Gift, path: '/referrals' },
];

interface Done {
  key: Key;
  Icon: Icon;
  act?: () => void;
  href?: string;
}

/** Actions that run in place. */
function useDone(): Done[] {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  const theme = useTheme();
  const helpCenter = useConfigStore((state) => state.shop?.HelpCenterUrl);
  const leave = async () => {
    await signOut();
    // After a view, the page loads again.
    if (!isViewing()) navigate('/login', { replace: true });
  };
  return [
    { key: 'support', Icon: ChatCircleDots, act: useSupportStore.getState().openChat },
    ...(helpCenter ? [{ key: 'help' as const, Icon: Lifebuoy, href: helpCenter }] : []),
    { key: 'guide', Icon: BookOpen, href: docsUrl('proxies') },
    { key: 'reference', Icon: Code, href: `${API_BASE}/docs` },
    theme.isDark
      ? { key: 'lightTheme', Icon: Sun, act: theme.change }
      : { key: 'darkTheme', Icon: MoonStars, act: theme.change },
    i18n.language === 'zh'
      ? { key: 'english', Icon: Translate, act: () => chooseLanguage('en') }
      : { key: 'chinese', Icon: Translate, act: () => chooseLanguage('zh') },
    { key: 'signOut', Icon: SignOut, act: leave },
  ];
}

export function useActions(typed: string): Result[] {
  const { t, i18n } = useTranslation('search');
  const mayOpen = useMayOpen();
  const may = useMay();
  const isSuspended = useIsSuspended();
  const done = useDone();
  const other = i18n.getFixedT(i18n.language === 'zh' ? 'en' : 'zh', 'search');
  const named = (key: Key, Icon: Icon): Named => ({
    id: key,
    icon: <Icon size={18} />,
    label: t(`action.${key}`),
    words: [t(`words.${key}`), other(`action.${key}`), other(`words.${key}`)].join(' '),
  });
  const actions = [
    // A suspended account cannot change anything.
    ...LEADING.filter(({ path, reads, call }) => (reads || !isSuspended) && mayOpen(path) && (!call || may(call))).map(
      ({ key, Icon, path, query = '', adds }) => ({
        ...named(key, Icon),
        to: adds ? addFormAddress(path) : `${path}${query}`,
      }),
    ),
    ...done.map(({ key, Icon, ...how }) => ({ ...named(key, Icon), ...how })),
  ];
  return typed ? matching(typed, actions) : actions;
}
