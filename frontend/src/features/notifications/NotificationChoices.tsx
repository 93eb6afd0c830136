// Notification settings: on screen and by email, for each type of event.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { useUserStore } from '@/stores/user';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import s from './notifications.module.css';
import { LIST, SETTINGS, UNREAD } from './queries';

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
  const queryClient = useQueryClient();
  const email = useUserStore((state) => state.info?.Email ?? '');
  const settings = useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => post('Notifications/GetSettings', undefined, { signal, silent: true }),
  });
  const choosing = useMutation({
    mutationFn: ({ Kind, OnScreen, ByMail }: Setting) =>
      post('Notifications/SetSettings', { Settings: [{ Kind, OnScreen, ByMail }] }),
    onSuccess: (saved) => {
      queryClient.setQueryData(SETTINGS, saved);
      queryClient.invalidateQueries({ queryKey: LIST });
      queryClient.invalidateQueries({ queryKey: UNREAD });
    },
  });
  // Optimistic state until the server responds.
  const shown = (settings.data?.Settings ?? []).map((one) =>
    choosing.isPending && choosing.variables.Kind === one.Kind ? choosing.variables : one,
  );
  return (
    <Dialog open wide onClose={onClose} title={t('choices.title')}>
      <div className={s.choices}>
        <p>{t('choices.lead', { Email: email })}</p>
        {settings.isError && !settings.data && <ErrorState onRetry={() => settings.refetch()} />}
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
                      isBusy={choosing.isPending}
                      onChange={(next) => choosing.mutate(next)}
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
  isBusy: boolean;
  onChange: (next: Setting) => void;
}

function Choice({ setting, isBusy, onChange }: ChoiceProps) {
  const { t } = useTranslation('notifications');
  const text = t as unknown as (key: string) => string;
  const name = text(`kind.${setting.Kind}.name`);
  const change = (next: Partial<Setting>) => {
    if (!isBusy) onChange({ ...setting, ...next });
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Toggle
          hideLabel
          label={t('choices.onScreenOf', { Kind: name })}
          checked={setting.OnScreen}
          onChange={(OnScreen) => change({ OnScreen })}
        />
      </td>
      <td>
        {setting.CanChooseMail ? (
          <Toggle
            hideLabel
            label={t('choices.byMailOf', { Kind: name })}
            checked={setting.ByMail}
            onChange={(ByMail) => change({ ByMail })}
          />
        ) : (
          <span className={s.fixed}>{setting.ByMail ? t('choices.alwaysMailed') : t('choices.noMail')}</span>
        )}
      </td>
    </tr>
  );
}
