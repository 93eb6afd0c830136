// Sends the selected mails again, if they are not too many for one call.
import { ArrowClockwise } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import type { Mail } from '@/api/system';
import { MAX_RESENT } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import s from './mails.module.css';

interface ResendSelectedProps {
  mails: Mail[];
  isBusy: boolean;
  onResend: () => void;
}

export function ResendSelected({ mails, isBusy, onResend }: ResendSelectedProps) {
  const { t } = useTranslation('mails');
  const isTooMany = mails.length > MAX_RESENT;
  return (
    <div className={s.bar}>
      {isTooMany && <span role="status">{t('resend.most', { Most: MAX_RESENT })}</span>}
      <Button
        size="small"
        icon={<ArrowClockwise size={15} aria-hidden="true" />}
        disabled={isTooMany}
        loading={isBusy}
        onClick={onResend}
      >
        {t('resend.open')}
      </Button>
    </div>
  );
}
