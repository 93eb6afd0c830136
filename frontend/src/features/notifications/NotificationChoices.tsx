// Notification settings: on screen and by email, for each type of event.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { notificationSettingsQuery, setNotificationSettings } from '@/api/notifications';
import { useCall } from '@/api/useCall';
import { useUserStore } from '@/stores/user';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import s from './notifications.module.css';

type Setting = Schemas['NotificationSetting'];

/** Groups of event types, by prefix. */
const GROUPS = [
  ['order', ['order', 'payment']],
  ['proxies', ['proxies']],
  ['traffic', ['traffic', 'proxy_user']],
  ['wallet', ['wallet']],
  ['referral', ['referral']],
  ['support', ['support', 'webhook']],
  ['security', ['security']],
] as const;

export function NotificationChoices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notifications');
  const email = useUserStore((state) => state.info?.Email ?? '');
  const settings = useQuery(notificationSettingsQuery);
  const call = useCall(setNotificationSettings);
  // Optimistic state until the server responds.
  const [asked] = call.sending?.Settings ?? [];
  const shown = (settings.data?.Settings ?? []).map((one) => (asked?.Kind === one.Kind ? { ...one, ...asked } : one));
  return (
    <Dialog open wide onClose={onClose} title={t('choices.title')}>
      <div className={s.choices}>
        <p>{t('choices.lead', { Email: email })}</p>
        {settings.isError && !settings.data && <ErrorState error={settings.error} onRetry={() => settings.refetch()} />}
        {settings.isPending && <LoadingState rows={8} />}
        {settings.data && (
          <table>
            <thead>
              <tr>
                <th scope="col">{t('choices.kind')}</th>
                <th scope="col">{t('choices.onScreen')}</th>
                <th scope="col">{t('choices.byMail')}</th>
              </tr>
            </thead>
            {GROUPS.map(([group, names]) => (
              <tbody key={group}>
                <tr>
                  <th scope="rowgroup" colSpan={3}>
                    {t(`choices.group.${group}`)}
                  </th>
                </tr>
                {shown
                  .filter(({ Kind }) => (names as readonly string[]).includes(Kind.split('.')[0] ?? ''))
                  .map((setting) => (
                    <Choice
                      key={setting.Kind}
                      setting={setting}
                      isBusy={call.isBusy}
                      onChange={({ Kind, OnScreen, ByMail }) => call.run({ Settings: [{ Kind, OnScreen, ByMail }] })}
                    />
                  ))}
              </tbody>
            ))}
          </table>
        )}
        <p className={s.note}>{t('choices.alwaysMailedHint')}</p>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  setting: Setting;
  /** Whether one is being changed: another change would be of settings as they were before. */
  isBusy: boolean;
  onChange: (next: Setting) => void;
}

function Choice({ setting, isBusy, onChange }: ChoiceProps) {
  const { t } = useTranslation('notifications');
  const text = t as unknown as (key: string) => string;
  const name = text(`kind.${setting.Kind}.name`);
  const change = (next: Partial<Setting>) => onChange({ ...setting, ...next });
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Toggle
          hideLabel
          label={t('choices.onScreenOf', { Kind: name })}
          checked={setting.OnScreen}
          busy={isBusy}
          onChange={(OnScreen) => change({ OnScreen })}
        />
      </td>
      <td>
        {setting.CanChooseMail ? (
          <Toggle
            hideLabel
            label={t('choices.byMailOf', { Kind: name })}
            checked={setting.ByMail}
            busy={isBusy}
            onChange={(ByMail) => change({ ByMail })}
          />
        ) : (
          <span className={s.fixed}>{setting.ByMail ? t('choices.alwaysMailed') : t('choices.noMail')}</span>
        )}
      </td>
    </tr>
  );
}
