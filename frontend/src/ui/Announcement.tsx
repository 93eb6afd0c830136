// An announcement of the seller, as customers see it above their screens.
import { Megaphone, Warning, X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AnnouncementTone } from '@/core/constants.gen';
import s from './announcement.module.css';
import { IconButton } from './Button';

interface AnnouncementProps {
  tone: AnnouncementTone;
  text: string;
  /** A path of this site or an `https` address; may be empty. */
  link: string;
  /** Language of the text, if it differs from the screen's. */
  lang?: string;
  /** Without it, the announcement is only looked at: it cannot be closed, and its link leads nowhere. */
  onClose?: () => void;
}

export function Announcement({ tone, text, link, lang, onClose }: AnnouncementProps) {
  const { t } = useTranslation();
  const Icon = tone === AnnouncementTone.Warning ? Warning : Megaphone;
  return (
    <div className={s.announcement} data-tone={tone}>
      <Icon size={18} aria-hidden="true" />
      <p>
        <span lang={lang}>{text}</span> {link && <More link={link} label={t('announcement.more')} isStill={!onClose} />}
      </p>
      {onClose && (
        <IconButton size="small" label={t('announcement.close')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      )}
    </div>
  );
}

function More({ link, label, isStill }: { link: string; label: string; isStill: boolean }) {
  if (isStill) return <span className={s.more}>{label}</span>;
  if (link.startsWith('/')) {
    return (
      <Link className={s.more} to={link}>
        {label}
      </Link>
    );
  }
  return (
    <a className={s.more} href={link} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  );
}
