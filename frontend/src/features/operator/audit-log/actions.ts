// Actions of the audit log by topic, as the filter lists them.
import { AuditAction } from '@/core/constants.gen';

type Topic = 'accounts' | 'money' | 'offers' | 'proxies' | 'support' | 'shop';

const TOPICS: Record<AuditAction, Topic> = {
  account_terms: 'accounts',
  account_suspended: 'accounts',
  account_resumed: 'accounts',
  account_center: 'accounts',
  account_note: 'accounts',
  account_closed: 'accounts',
  email_change_requested: 'accounts',
  account_viewed: 'accounts',
  changed_as_customer: 'accounts',
  two_factor_off: 'accounts',
  wallet_credited: 'money',
  wallet_debited: 'money',
  order_refunded: 'money',
  refund_settled: 'money',
  payment_settled: 'money',
  callback_replayed: 'money',
  payment_case_closed: 'money',
  exchange_rate_set: 'money',
  coupon_added: 'offers',
  coupon_ended: 'offers',
  price_changed: 'offers',
  price_planned: 'offers',
  price_plan_cancelled: 'offers',
  limit_changed: 'offers',
  referral_rule_added: 'offers',
  referral_reviewed: 'offers',
  nodes_imported: 'proxies',
  nodes_retired: 'proxies',
  nodes_restored: 'proxies',
  nodes_edited: 'proxies',
  node_replaced: 'proxies',
  nodes_assigned: 'proxies',
  use_case_saved: 'proxies',
  use_case_deleted: 'proxies',
  proxy_server_added: 'proxies',
  proxy_server_rotated: 'proxies',
  proxy_server_removed: 'proxies',
  reply_sent: 'support',
  conversation_closed: 'support',
  canned_answer_saved: 'support',
  canned_answer_deleted: 'support',
  announcement_saved: 'shop',
  announcement_deleted: 'shop',
  legal_text_published: 'shop',
  mails_resent: 'shop',
  webhook_added: 'shop',
  webhook_changed: 'shop',
  webhook_deleted: 'shop',
  settings_adopted: 'shop',
  secret_key_replaced: 'shop',
};

const ALL = Object.values(AuditAction);

export const ACTIONS_BY_TOPIC = [...new Set(Object.values(TOPICS))].map((topic) => ({
  topic,
  actions: ALL.filter((action) => TOPICS[action] === topic),
}));

/** Actions whose subject is an order's number. */
const ABOUT_ORDERS: readonly AuditAction[] = [AuditAction.OrderRefunded, AuditAction.PaymentSettled];
export const isAboutOrder = (action: AuditAction) => ABOUT_ORDERS.includes(action);

/** Actions whose subject is a payment. */
const ABOUT_PAYMENTS: readonly AuditAction[] = [
  AuditAction.CallbackReplayed,
  AuditAction.PaymentCaseClosed,
  AuditAction.RefundSettled,
];
export const isAboutPayment = (action: AuditAction) => ABOUT_PAYMENTS.includes(action);
