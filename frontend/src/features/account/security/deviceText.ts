// Translates a device name such as `Chrome on Windows` from the server.
import { useTranslation } from 'react-i18next';

export function useDeviceText() {
  const { t } = useTranslation(['account', 'security']);
  return (device: string): string => {
    const [program = '', system] = device.split(' on ');
    if (!device) return t('security:unknownDevice');
    return system ? t('device.both', { Program: program, System: system }) : program;
  };
}
