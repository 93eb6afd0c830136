// Targets of notifications, and grouping by day.
import type { Schemas } from '@/api/client';

export type Notification = Schemas['NotificationView'];

/** Path of the related screen; undefined if there is none. */
export function pathOf({ Kind, Data }: Pick<Notification, 'Kind' | 'Data'>): string | undefined {
  const data = Data as Record<string, string | number | undefined>;
  switch (Kind) {
    case 'order.paid':
    case 'order.refunded':
    case 'order.expired':
    case 'payment.late':
    case 'payment.given_back':
    case 'wallet.topped_up':
      return `/order?OrderId=${data.OrderId}`;
    case 'proxies.ending':
    case 'proxies.renewed':
    case 'proxies.renewal_failed':
      return '/static-residential-proxies/proxy-list';
    case 'proxies.switched':
      return '/static-residential-proxies/replaced';
    case 'traffic.ending':
    case 'traffic.reorder_failed':
    case 'traffic.reorder_limit':
      return '/residential-proxies/users';
    case 'proxy_user.limit_reached':
      return `/residential-proxies/users?Search=${encodeURIComponent(String(data.Name))}`;
    // There it says what is owed.
    case 'payment.taken_back':
    case 'wallet.low':
    case 'wallet.auto_top_up_done':
    case 'wallet.auto_top_up_failed':
    case 'wallet.auto_top_up_limit':
      return '/billing/wallet';
    case 'referral.commission_earned':
      return '/referrals';
    case 'webhook.disabled':
      return '/my-account/webhooks';
    case 'security.new_device':
    case 'security.changed':
      return '/my-account/password';
    default:
      return undefined;
  }
}

/** Groups consecutive rows by day. */
export function byDay(rows: Notification[]): [string, Notification[]][] {
  const days: [string, Notification[]][] = [];
  for (const row of rows) {
    const day = row.CreatedAt.slice(0, 10);
    const last = days.at(-1);
    if (last?.[0] === day) last[1].push(row);
    else days.push([day, [row]]);
  }
  return days;
}
