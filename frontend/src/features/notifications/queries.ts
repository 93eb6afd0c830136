// What the bell, its panel and the choices ask for.
export const UNREAD = ['notifications', 'unread'];
export const LIST = ['notifications', 'list'];
export const SETTINGS = ['notifications', 'settings'];
