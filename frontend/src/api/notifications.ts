// Calls for notifications: the bell, the panel and the settings.
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { change, query } from './calls';
import { type DataOfCall, post } from './client';

const UNREAD = ['notifications', 'unread'];
const NOTIFICATIONS = ['notifications', 'list'];
const SETTINGS = ['notifications', 'settings'];

type Page = DataOfCall<'Notifications/GetNotificationList'>;
type Cursor = string | null | undefined;

/** Page after page, fetched again when the unread count changes. */
export const notificationsQuery = (unread: number, PageSize: number) =>
  infiniteQueryOptions({
    queryKey: [...NOTIFICATIONS, unread],
    queryFn: ({ pageParam, signal }) => {
      const page = { PageSize, Sort: [], Filter: {}, Search: '', ...(pageParam && { After: pageParam }) };
      return post('Notifications/GetNotificationList', page, { signal, silent: true });
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: (page) => page.Next,
    placeholderData: (before: InfiniteData<Page, Cursor> | undefined) => before,
  });
export const unreadQuery = query(UNREAD, 'Notifications/GetUnread');
export const markRead = change('Notifications/MarkRead', { answers: UNREAD, outdates: [NOTIFICATIONS] });
export const notificationSettingsQuery = query(SETTINGS, 'Notifications/GetSettings');
export const setNotificationSettings = change('Notifications/SetSettings', {
  answers: SETTINGS,
  outdates: [NOTIFICATIONS, UNREAD],
});
