// Calls about announcements: those that customers see, and all of them for operators.
import { change, query } from './calls';
import type { Schemas } from './client';
import { AUDIT_LOG } from './operator';

export type ShownAnnouncement = Schemas['ShownAnnouncement'];
export type Announcement = Schemas['AnnouncementView'];

export const shownAnnouncementsQuery = query(['shown-announcements'], 'SystemSettings/GetAnnouncementList');

const ANNOUNCEMENTS = ['announcements'];
export const announcementsQuery = query(ANNOUNCEMENTS, 'Operator/GetAnnouncementList');
export const saveAnnouncement = change('Operator/SaveAnnouncement', {
  answers: ANNOUNCEMENTS,
  outdates: [[AUDIT_LOG]],
});
/** Another operator may have deleted it: a refusal fetches the list again. */
export const deleteAnnouncement = change('Operator/DeleteAnnouncement', {
  answers: ANNOUNCEMENTS,
  outdates: (_, answer) => (answer ? [[AUDIT_LOG]] : [ANNOUNCEMENTS]),
});
