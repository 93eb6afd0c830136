// Opens the support chat, from states that only the seller can change.
import { useTranslation } from 'react-i18next';
import { useSupportStore } from '@/stores/support';
import { Button } from '@/ui/Button';

export function ContactSupport() {
  const { t } = useTranslation('nav');
  return <Button onClick={() => useSupportStore.getState().openChat()}>{t('contact-support')}</Button>;
}
