// The addresses of the proxy users' screen and of its view of usage.

export const USERS_PATH = '/residential-proxies/users';
export const VIEW_KEY = 'view';
export const USAGE_VIEW = 'usage';
