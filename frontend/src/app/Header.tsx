// The header: balance, unpaid orders, language, theme, account.
import { List, Receipt, SignOut, Translate, User, Users, Wallet } from '@phosphor-icons/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { post } from '@/api/client';
import { type Language, OPERATOR, OPERATOR_PATH } from '@/core/constants.gen';
import { UnpaidOrdersMenu } from '@/features/orders/UnpaidOrdersMenu';
import { changeLanguage } from '@/i18n';
import { type Center, useSessionStore, useUserStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { Skeleton } from '@/ui/Loading';
import { ChoiceMenu, Menu } from '@/ui/Overlay';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import { MoneyText } from '@/ui/texts';
import s from './app.module.css';
import { Brand } from './Brand';

export const Header = memo(function Header({ isMobile, hasRules }: { isMobile: boolean; hasRules: boolean }) {
  const { t } = useTranslation(['common', 'nav']);
  const navigate = useNavigate();
  const email = useUserStore((state) => state.info?.Email);
  const customer = useUserStore((state) => nameOf(state.center));
  const isOperator = useUserStore((state) => state.info?.Level === OPERATOR);
  const wallet = useSessionStore((state) => state.wallet);
  const setOpen = useUserStore((state) => state.setSidebarOpen);

  const signOut = async () => {
    await post('User/Logout', undefined, { silent: true }).catch(() => {});
    useUserStore.getState().signOut();
    navigate('/login', { replace: true });
  };

  return (
    <header className={s.header}>
      {isMobile && (
        <>
          <IconButton label={t('openMenu')} onClick={() => setOpen(true)}>
            <List size={20} />
          </IconButton>
          <Brand />
        </>
      )}
      <span className={s.spring} />
      {hasRules && <UnpaidOrdersMenu />}
      <Link to="/billing/wallet" className={s.balance} aria-label={t('walletBalance')}>
        <Wallet size={17} aria-hidden="true" />
        {wallet && hasRules ? (
          <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} />
        ) : (
          <Skeleton width={56} />
        )}
      </Link>
      <LanguageMenu />
      <ThemeSwitch />
      <Menu
        trigger={
          <IconButton label={t('account')}>
            <User size={18} />
          </IconButton>
        }
        label={customer ? `${customer} · ${email}` : email}
        items={[
          ...(isOperator
            ? [
                { key: 'orders', label: t('operator.orders'), icon: <Receipt size={17} />, to: '/order?All=1' },
                {
                  key: 'accounts',
                  label: t('operator.accounts'),
                  icon: <Users size={17} />,
                  to: `${OPERATOR_PATH}/accounts`,
                },
              ]
            : []),
          { key: 'out', label: t('signOut'), icon: <SignOut size={17} />, onSelect: signOut },
        ]}
      />
    </header>
  );
});

/** Who the customer is, as on invoices; empty where nobody has said it. */
function nameOf(center: Center | null): string {
  if (!center) return '';
  return center.CompanyName || `${center.FirstName} ${center.LastName}`.trim();
}

const LANGUAGES = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'zh', label: '中文', lang: 'zh' },
] as const;

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <ChoiceMenu
      trigger={
        <IconButton label={t('language')}>
          <Translate size={18} />
        </IconButton>
      }
      value={i18n.language === 'zh' ? 'zh' : 'en'}
      choices={[...LANGUAGES]}
      onChoose={chooseLanguage}
    />
  );
}

/** Mails follow: asking who one is tells the server the language. */
async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  await useUserStore
    .getState()
    .loadInfo()
    .catch(() => {});
}
