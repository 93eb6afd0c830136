// Calls for operators about mails, background jobs and backups.
import { keepPreviousData } from '@tanstack/react-query';
import { change, query } from './calls';
import type { BodyOf, Schemas } from './client';
import { list } from './lists';
import { AUDIT_LOG } from './operator';

export type Mail = Schemas['MailView'];
export type Job = Schemas['JobView'];
export type Backup = Schemas['BackupView'];

/** Name of the list of mails. */
export const MAILS = 'mails';
export const loadMails = list('Operator/GetMailList');
/** Mails that were given up wait for a person, among other tasks. */
export const resendMails = change('Operator/ResendMails', { outdates: [[MAILS], [AUDIT_LOG], ['business-tasks']] });

/** Until the next one is there, the text before it is shown. */
export const mailPreviewQuery = (asked: BodyOf<'Operator/PreviewMail'>) => ({
  ...query(['mail-preview', asked], 'Operator/PreviewMail', asked),
  placeholderData: keepPreviousData,
});

export const jobsQuery = query(['jobs'], 'Operator/GetJobList');
export const backupsQuery = query(['backups'], 'Operator/GetBackupList');
