// What the rules of commissions are asked for by.
export const RULES = ['referral-rules'];
