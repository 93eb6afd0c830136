// Query key of the commission rules.
export const RULES = ['referral-rules'];
