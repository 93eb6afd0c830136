// Calls for support: attachments, the operators' conversations, and canned answers.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Change, change, query } from './calls';
import { download, post, type Schemas } from './client';

/** Which messages of a conversation. */
type Messages = { Before?: number; After?: number };
interface NewMessage {
  Text: string;
  AttachmentIds: number[];
}

/** The customer's own conversation. */
export const CHAT = ['support'];
export const CONVERSATIONS = ['conversations'];
export const getOwnConversation = (messages: Messages) => post('Support/GetConversation', messages, { silent: true });
export const sendMessage = (message: NewMessage, idempotencyKey: string) =>
  post('Support/SendMessage', message, { idempotencyKey, silent: true });
export const markMessagesRead = (MessageId: number) => post('Support/MarkRead', { MessageId }, { silent: true });

/** All conversations that an operator has open. */
export const CONVERSATION = ['conversation'];
export const conversationKey = (accountId: number, part: 'facts' | 'messages') => [...CONVERSATION, accountId, part];
/** The conversations of operators, page after page. */
export const conversationsQuery = (asked: Schemas['ListRequest'], PageSize: number) =>
  infiniteQueryOptions({
    queryKey: [...CONVERSATIONS, asked],
    queryFn: ({ pageParam, signal }) =>
      post('Operator/GetConversationList', { ...asked, PageSize, ...(pageParam && { After: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.Next,
  });
export const getConversation = (AccountId: number, messages: Messages) =>
  post('Operator/GetConversation', { AccountId, ...messages }, { silent: true });
export const sendReply = (AccountId: number, message: NewMessage, idempotencyKey: string) =>
  post('Operator/SendReply', { AccountId, ...message }, { idempotencyKey, silent: true });
export const markConversationRead = (AccountId: number, MessageId: number) =>
  post('Operator/MarkConversationRead', { AccountId, MessageId }, { silent: true });
export const closeConversation = change('Operator/CloseConversation', {
  outdates: ({ AccountId }) => [conversationKey(AccountId, 'messages'), CONVERSATIONS],
});

type Attachment = Schemas['AttachmentView'];

export const fetchAttachment: Change<Attachment, File> = {
  send: async ({ AttachmentId, Name }, { silent = false }) => {
    const file = await download('Support/GetAttachment', { AttachmentId }, { silent });
    return new File([file], Name, { type: file.type });
  },
};
export const attachmentQuery = (attachment: Attachment) =>
  queryOptions({
    queryKey: ['attachment', attachment.AttachmentId],
    queryFn: () => fetchAttachment.send(attachment, { silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const CANNED_ANSWERS = ['canned-answers'];
export const cannedAnswersQuery = query(CANNED_ANSWERS, 'Operator/GetCannedAnswerList');
export const saveCannedAnswer = change('Operator/SaveCannedAnswer', { answers: CANNED_ANSWERS });
export const deleteCannedAnswer = change('Operator/DeleteCannedAnswer', { answers: CANNED_ANSWERS });
