// Names of operators' queries about conversations.
export const CONVERSATIONS = 'conversations';
export const CONVERSATION = 'conversation';
export const CANNED_ANSWERS = 'canned-answers';
