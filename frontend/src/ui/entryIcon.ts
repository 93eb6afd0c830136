// Icons of the sidebar's entries, also used elsewhere.
import {
  ChartPieSlice,
  ChatCircleDots,
  Globe,
  type Icon,
  Lifebuoy,
  Receipt,
  Stack,
  Storefront,
  UserCircle,
  UsersThree,
  Wallet,
} from '@phosphor-icons/react';

const ICONS: Record<string, Icon> = {
  operator: Storefront,
  welcome: ChartPieSlice,
  'residential-proxies': Globe,
  'static-residential-proxies': Stack,
  orders: Receipt,
  billing: Wallet,
  'my-account': UserCircle,
  referrals: UsersThree,
  'help-center': Lifebuoy,
  'contact-support': ChatCircleDots,
};

export const entryIcon = (key: string): Icon => ICONS[key] ?? Stack;
