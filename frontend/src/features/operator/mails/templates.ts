// The texts of mails by topic, as the list of texts and the filter show them, and addresses within this screen.
import { MailTemplate, OPERATOR_PATH } from '@/core/constants.gen';

export const TOPICS = ['security', 'orders', 'money', 'traffic', 'support', 'operators'] as const;
export type Topic = (typeof TOPICS)[number];

/** Within a topic in the order in which customers get them. */
const TOPIC_OF: Record<MailTemplate, Topic> = {
  confirm_sign_up: 'security',
  already_signed_up: 'security',
  reset_password: 'security',
  new_device: 'security',
  security_changed: 'security',
  access_ended: 'security',
  secrets_replaced: 'security',
  email_change_confirm: 'security',
  email_change_notice: 'security',
  email_change_taken: 'security',
  account_closed: 'security',
  purchased: 'orders',
  not_delivered: 'orders',
  ending_soon: 'orders',
  renewed: 'orders',
  renewal_paid: 'orders',
  renewal_failed: 'orders',
  refunded: 'orders',
  refunded_ips: 'orders',
  refunded_to_source: 'orders',
  topped_up: 'money',
  late_payment: 'money',
  payment_taken_back: 'money',
  payment_given_back: 'money',
  top_up_refunded: 'money',
  refund_to_claim: 'money',
  refund_failed: 'money',
  low_balance: 'money',
  auto_top_up_done: 'money',
  auto_top_up_failed: 'money',
  auto_top_up_paused: 'money',
  auto_top_up_limit: 'money',
  wallet_credited: 'money',
  wallet_debited: 'money',
  traffic_purchased: 'traffic',
  traffic_ending: 'traffic',
  reorder_failed: 'traffic',
  reorder_limit: 'traffic',
  refunded_traffic: 'traffic',
  support_answer: 'support',
  webhook_disabled: 'support',
  support_message: 'operators',
  dispute_opened: 'operators',
  servers_down: 'operators',
  books_wrong: 'operators',
  closed_account_money: 'operators',
};

const ALL = Object.keys(TOPIC_OF) as MailTemplate[];

export const TEMPLATES_BY_TOPIC = TOPICS.map((topic) => ({
  topic,
  templates: ALL.filter((template) => TOPIC_OF[template] === topic),
}));

export const FIRST_TEMPLATE = MailTemplate.ConfirmSignUp;

/** The template in an address; undefined if it is none. */
export const templateIn = (text: string) => ALL.find((template) => template === text);

export const VIEW_KEY = 'view';
export const TEXTS = 'texts';

/** Address of a text. */
export const textAt = (Template: MailTemplate, Language: string) =>
  `${OPERATOR_PATH}/mails?${new URLSearchParams({ [VIEW_KEY]: TEXTS, Template, Language })}`;
