// Address of the order form with an amount and a validity.

export const GIGABYTES_KEY = 'gigabytes';
export const PERIOD_KEY = 'period';

export const orderAddress = (gigabytes: number | string, periodDays: number) =>
  `/residential-proxies/order?${new URLSearchParams({ [GIGABYTES_KEY]: String(gigabytes), [PERIOD_KEY]: String(periodDays) })}`;
