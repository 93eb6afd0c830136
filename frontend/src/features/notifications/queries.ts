// Queries of the bell, the panel and the settings.
export const UNREAD = ['notifications', 'unread'];
export const LIST = ['notifications', 'list'];
export const SETTINGS = ['notifications', 'settings'];
