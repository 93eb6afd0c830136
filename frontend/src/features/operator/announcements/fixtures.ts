// An operator, announcements and versions of texts, for unit tests.
import type { Schemas } from '@/api/client';
import { OPERATOR, StaffRole } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';

/** Signs an operator's account in. */
export function signInAs(Role: StaffRole = StaffRole.Operator): void {
  useUserStore.setState({
    info: {
      UserId: 1,
      Email: 'boss@example.com',
      Level: OPERATOR,
      Role,
      ResellerBasisPoints: 0,
      State: 'active',
      Language: 'en',
      TimeZone: 'UTC',
      IsView: false,
      TextsToAccept: [],
      Token: 't',
    },
  });
}

export const announcement = (change: Partial<Schemas['AnnouncementView']> = {}): Schemas['AnnouncementView'] => ({
  AnnouncementId: 1,
  Tone: 'info',
  TextEn: 'Ten percent off',
  TextZh: '九折优惠',
  Link: '',
  ChangedAt: '2026-11-28 10:00:00',
  ValidFrom: '2026-11-28 10:00:00',
  ValidUntil: null,
  State: 'shown',
  Operator: 'boss@example.com',
  ...change,
});

export const version = (change: Partial<Schemas['LegalTextView']> = {}): Schemas['LegalTextView'] => ({
  LegalTextId: 4,
  Kind: 'terms',
  Version: 2,
  PublishedAt: '2026-11-28 10:00:00',
  IsCurrent: true,
  Acceptances: 5,
  Operator: 'boss@example.com',
  ...change,
});
