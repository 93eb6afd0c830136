// The /contact-support route, linked from emails: opens the chat over the start screen.
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { HOME_PATH } from '@/core/constants.gen';
import { useSupportStore } from '@/stores/support';

export function ContactSupport() {
  useEffect(() => useSupportStore.getState().openChat(), []);
  return <Navigate to={HOME_PATH} replace />;
}
