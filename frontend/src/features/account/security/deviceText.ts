// A device as the reader's language names it: the server says `Chrome on Windows`, and nothing of what it does not know.
import { useTranslation } from 'react-i18next';

export function useDeviceText() {
  const { t } = useTranslation(['account', 'security']);
  return (device: string): string => {
    const [program = '', system] = device.split(' on ');
    if (!device) return t('security:unknownDevice');
    return system ? t('device.both', { Program: program, System: system }) : program;
  };
}
