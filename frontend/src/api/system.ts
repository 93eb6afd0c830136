// Calls for operators about mails, background jobs, backups, and the examination of the shop.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { change, query } from './calls';
import { type BodyOf, post, type Schemas } from './client';
import { list } from './lists';
import { AUDIT_LOG } from './operator';

export type Mail = Schemas['MailView'];
export type Job = Schemas['JobView'];
export type Backup = Schemas['BackupView'];
export type Finding = Schemas['Finding'];

/** Name of the list of mails. */
export const MAILS = 'mails';
export const loadMails = list('Operator/GetMailList');
/** Mails that were given up wait for a person, among other tasks. */
export const resendMails = change('Operator/ResendMails', { outdates: [[MAILS], [AUDIT_LOG], ['operator-tasks']] });

/** Until the next one is there, the text before it is shown. */
export const mailPreviewQuery = (asked: BodyOf<'Operator/PreviewMail'>) => ({
  ...query(['mail-preview', asked], 'Operator/PreviewMail', asked),
  placeholderData: keepPreviousData,
});

export const jobsQuery = query(['jobs'], 'Operator/GetJobList');
export const backupsQuery = query(['backups'], 'Operator/GetBackupList');

/**
 * Runs when the operator asks: it takes seconds, and asks other servers. The answer is kept for the session, and leaving the screen does not
 * cancel it.
 */
export const examinationQuery = queryOptions({
  queryKey: ['examination'],
  queryFn: () => post('Operator/ExamineShop', undefined, { silent: true }),
  enabled: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  networkMode: 'always',
});
