// Cells of the proxy user list, and parts of its rows on phones.
import { Copy, Eye, EyeSlash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProxyUserState, type ProxyUserView, passwordQuery } from '@/api/proxyUsers';
import { core } from '@/core';
import { NEARLY_USED_PERCENT } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { IconButton } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { copy } from '@/ui/CopyButton';
import { Flag } from '@/ui/Flag';
import { fillText } from '@/ui/fillText';
import type { Tone } from '@/ui/Notice';
import { isToCome } from '@/ui/ProductBadges';
import { Badge } from '@/ui/State';
import { AgoText, UntilText } from '@/ui/texts';
import { useLimitTexts } from '@/ui/useLimitTexts';
import { Sparkline } from './Sparkline';
import s from './users.module.css';

const TONES: Record<ProxyUserState, Tone> = {
  active: 'good',
  paused: 'neutral',
  exhausted: 'warn',
  expired: 'bad',
  deleted: 'neutral',
};

/** Maximum number of flags shown; the rest is a count. */
const MOST_FLAGS = 3;

export function StateBadge({ state }: { state: ProxyUserState }) {
  const { t } = useTranslation('proxy_users');
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>;
}

/** Used traffic, of the limit if there is one. */
export function UsedText({ user }: { user: ProxyUserView }) {
  const { t, i18n } = useTranslation('proxy_users');
  const Used = bytesText(user.UsedBytes, i18n.language);
  const text = user.LimitBytes ? t('list.usedOf', { Used, Limit: bytesText(user.LimitBytes, i18n.language) }) : Used;
  return <span className={s.number}>{text}</span>;
}

/** The used share of a limit. */
export function UsedBar({ user }: { user: ProxyUserView }) {
  if (!user.LimitBytes) return null;
  const share = Math.min(1, user.UsedBytes / user.LimitBytes);
  return (
    <span
      className={s.bar}
      aria-hidden="true"
      data-more
      data-tone={share >= 1 ? 'bad' : 100 * share >= NEARLY_USED_PERCENT ? 'warn' : undefined}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** When the used traffic is reset. */
export function Resets({ user }: { user: ProxyUserView }) {
  const { t } = useTranslation('proxy_users');
  if (!user.LimitBytes) return t('list.unlimited');
  if (!user.CycleEndsAt) return t('cycle.none');
  const time = <UntilText value={user.CycleEndsAt} />;
  return <span className={s.resets}>{fillText((marks) => t('list.resets', marks), { Time: time })}</span>;
}

/** Used share of the limit, and when it resets. */
export function Used({ user }: { user: ProxyUserView }) {
  return (
    <span className={user.LimitBytes ? s.used : s.lines} data-lines>
      <UsedText user={user} />
      <UsedBar user={user} />
      <small data-more>
        <Resets user={user} />
      </small>
    </span>
  );
}

export function Left({ user }: { user: ProxyUserView }) {
  const { t, i18n } = useTranslation('proxy_users');
  if (user.LeftBytes === undefined || user.LeftBytes === null)
    return <span className={s.soft}>{t('list.unlimited')}</span>;
  return <span className={s.number}>{bytesText(user.LeftBytes, i18n.language)}</span>;
}

/** Limits on connections; nothing without them. */
export function Limits({ user }: { user: ProxyUserView }) {
  const limits = useLimitTexts()(user);
  return (
    <span className={s.lines} data-lines>
      {limits.map((limit) => (
        <small key={limit}>{limit}</small>
      ))}
    </span>
  );
}

/** The same in one line. */
export function LimitsLine({ user }: { user: ProxyUserView }) {
  const limits = useLimitTexts()(user);
  return limits.length > 0 && <small className={s.limits}>{limits.join(' · ')}</small>;
}

export function Countries({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('proxy_users');
  if (codes.length === 0) return <span className={s.soft}>{t('list.allCountries')}</span>;
  const language = currentLanguage();
  const names = new Intl.ListFormat(language).format(codes.map((code) => core().countryName(code, language)));
  const [only] = codes;
  return (
    <span className={s.countries} title={names}>
      <span className={s.flags} aria-hidden="true">
        {codes.slice(0, MOST_FLAGS).map((code) => (
          <Flag key={code} country={code} />
        ))}
        {codes.length > MOST_FLAGS && `+${codes.length - MOST_FLAGS}`}
      </span>
      <span className={codes.length === 1 ? s.ellipsis : 'visually-hidden'}>
        {codes.length === 1 && only ? core().countryName(only, language) : names}
      </span>
    </span>
  );
}

export function LastSeen({ user }: { user: ProxyUserView }) {
  const { t } = useTranslation('proxy_users');
  if (!user.LastUsedAt) return <span className={s.soft}>{t('list.never')}</span>;
  return <AgoText value={user.LastUsedAt} justNow={t('list.justNow')} />;
}

/** The same in words that need no heading. */
export function LastSeenLine({ user }: { user: ProxyUserView }) {
  const { t } = useTranslation('proxy_users');
  if (!user.LastUsedAt) return <span>{t('list.notSeenYet')}</span>;
  const phrase = (Time: string) => t('list.lastSeenLine', { Time });
  return <AgoText value={user.LastUsedAt} justNow={t('list.seenJustNow')} phrase={phrase} />;
}

/** Hidden, and fetched only when revealed. */
export function Password({ user }: { user: ProxyUserView }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const client = useQueryClient();
  const [isShown, setShown] = useState(false);
  const password = useQuery({ ...passwordQuery(user.ProxyUserId), enabled: isShown });
  const isThere = isShown && password.data !== undefined;
  const copyIt = () => copy(client.fetchQuery(passwordQuery(user.ProxyUserId)));
  return (
    <span className={s.secret}>
      <code data-shown={isThere || undefined}>{isThere ? password.data : '•••••'}</code>
      <IconButton
        size="small"
        label={t(isThere ? 'list.hidePassword' : 'list.showPassword', { Name: user.Name })}
        aria-pressed={isThere}
        aria-busy={(isShown && password.isFetching) || undefined}
        onClick={() => {
          // A failed fetch is retried by the next click.
          if (isShown && password.isError) password.refetch();
          else setShown(!isShown);
        }}
      >
        {isThere ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      <IconButton size="small" label={t('list.copyPassword', { Name: user.Name })} onClick={copyIt}>
        <Copy size={15} />
      </IconButton>
    </span>
  );
}

/** How long the password before a change is still accepted, which is a day at most. */
export function OldPassword({ user, text = 'oldPassword' }: { user: ProxyUserView; text?: 'oldPassword' | 'oldOne' }) {
  const { t } = useTranslation('proxy_users');
  const until = user.OldPasswordUntil;
  if (!isToCome(until)) return null;
  return <small title={until}>{t(`list.${text}`, { Time: until.slice(11, 16) })}</small>;
}

export function useUserCells() {
  return useMemo(
    () => ({
      name: (user: ProxyUserView) => (
        <span className={s.lines} data-lines>
          <strong className={s.ellipsis}>{user.Name}</strong>
          {user.Note && <small title={user.Note}>{user.Note}</small>}
        </span>
      ),
      state: (user: ProxyUserView) => <StateBadge state={user.State} />,
      used: (user: ProxyUserView) => <Used user={user} />,
      left: (user: ProxyUserView) => <Left user={user} />,
      limits: (user: ProxyUserView) => <Limits user={user} />,
      password: (user: ProxyUserView) => (
        <span className={s.lines} data-lines>
          <Password user={user} />
          <OldPassword user={user} text="oldOne" />
        </span>
      ),
      countries: (user: ProxyUserView) => <Countries codes={user.Countries} />,
      lastSeen: (user: ProxyUserView) => <LastSeen user={user} />,
      days: (user: ProxyUserView) => <Sparkline days={user.DailyBytes} />,
      expires: (user: ProxyUserView) => (user.ExpiresAt ? <UntilText value={user.ExpiresAt} /> : <Never />),
    }),
    [],
  );
}

function Never() {
  const { t } = useTranslation('proxy_users');
  return <span className={s.soft}>{t('list.neverExpires')}</span>;
}
