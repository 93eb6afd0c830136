// Leaves for a page outside of the app, such as that of a payment gateway.
import { useEffect, useState } from 'react';

/** Whether the browser is loading the other page, and what makes it load one. Who comes back with the browser's button may find this page as it was left. */
export function useRedirect(): [boolean, (url: string) => void] {
  const [isRedirecting, setRedirecting] = useState(false);
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setRedirecting(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);
  const redirect = (url: string) => {
    setRedirecting(true);
    window.location.assign(url);
  };
  return [isRedirecting, redirect];
}
