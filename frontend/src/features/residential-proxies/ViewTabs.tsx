// The two views of the proxy users' screen: the users, and what they used.
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import s from './traffic.module.css';
import { USAGE_VIEW, USERS_PATH, VIEW_KEY } from './views';

export function ViewTabs() {
  const { t } = useTranslation('residential_buy');
  const [parameters] = useSearchParams();
  const isUsage = parameters.get(VIEW_KEY) === USAGE_VIEW;
  const current = (isHere: boolean) => (isHere ? 'page' : undefined);
  return (
    <nav className={s.tabs} aria-label={t('views.label')}>
      <Link to={USERS_PATH} aria-current={current(!isUsage)}>
        {t('views.users')}
      </Link>
      <Link to={`${USERS_PATH}?${VIEW_KEY}=${USAGE_VIEW}`} aria-current={current(isUsage)}>
        {t('views.usage')}
      </Link>
    </nav>
  );
}
