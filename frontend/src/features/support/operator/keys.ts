// Query keys of the operators' conversations.
export const CONVERSATIONS = 'conversations';
export const CONVERSATION = 'conversation';
export const CANNED_ANSWERS = 'canned-answers';
