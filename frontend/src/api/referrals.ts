// Calls for referrals: what an account earns, and the rules and reviews of operators.
import { change, query } from './calls';
import { list } from './lists';

const REFERRALS = ['referrals'];
/** Name of the list of commissions. */
export const COMMISSIONS = 'commissions';
export const referralsQuery = query(REFERRALS, 'Referrals/GetReferrals');
export const loadCommissions = list('Referrals/GetCommissionList');
export const loadReferred = list('Referrals/GetReferredList');
export const moveToWallet = change('Referrals/MoveToWallet', { outdates: [REFERRALS, [COMMISSIONS]] });

const RULES = ['referral-rules'];
export const referralRulesQuery = query(RULES, 'Operator/GetReferralRuleList');
export const addReferralRule = change('Operator/AddReferralRule', { answers: RULES });

/** Name of the list of referrals with held commissions. */
export const REVIEWS = 'referral-reviews';
export const loadReviews = list('Operator/GetReferralReviewList');
export const reviewReferral = change('Operator/ReviewReferral', { outdates: [[REVIEWS]] });
