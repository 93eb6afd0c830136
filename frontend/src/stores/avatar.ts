// The account's avatar as an object URL.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { avatarQuery } from '@/api/account';
import { useUserStore } from './user';

/** Undefined without an avatar and while it loads. */
export function useAvatar(): string | undefined {
  const changedAt = useUserStore((state) => state.center?.AvatarChangedAt);
  const picture = useQuery({ ...avatarQuery(changedAt), enabled: Boolean(changedAt) });
  return usePicture(changedAt ? picture.data : undefined);
}

/** An object URL for a blob. */
export function usePicture(picture: Blob | undefined): string | undefined {
  const address = useMemo(() => (picture ? URL.createObjectURL(picture) : undefined), [picture]);
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);
  return address;
}
