// Whether a media query matches.
import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  const subscribe = (onChange: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  };
  const matches = () => window.matchMedia(query).matches;
  // The same while prerendering, for a window of a given width.
  return useSyncExternalStore(subscribe, matches, matches);
}
