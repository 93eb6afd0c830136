// Whether rows are shown as cards, as lists do on phones.
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { useMedia } from '@/ui/useMedia';

export const usePhone = () => useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
