// The screens that are built, by name and address: what the pictures and the accessibility check go through.

/** For everybody. */
export const OPEN_SCREENS = {
  login: '/login',
  'sign-up': '/sign-up',
  'password-reset': '/password-reset',
  'not-found': '/nowhere',
};

/** For a signed-in customer of the demo shop. */
export const SCREENS = {
  pricing: '/static-residential-proxies/pricing',
  order: '/static-residential-proxies/order',
  'proxy-list': '/static-residential-proxies/proxy-list',
  'group-list': '/static-residential-proxies/group-list',
  replaced: '/static-residential-proxies/replaced',
  'proxy-setup': '/static-residential-proxies/proxy-setup',
  orders: '/order',
  'order-one': '/order?OrderId=1',
  wallet: '/billing/wallet',
  transactions: '/billing/transactions',
  products: '/billing/products',
  'not-built': '/welcome/products',
};
