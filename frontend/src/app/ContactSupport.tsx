// An address that opens the chat, for mails: over the first screen, as the chat has none of its own.
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { HOME_PATH } from '@/core/constants.gen';
import { useSupportStore } from '@/stores/support';

export function ContactSupport() {
  useEffect(() => useSupportStore.getState().openChat(), []);
  return <Navigate to={HOME_PATH} replace />;
}
