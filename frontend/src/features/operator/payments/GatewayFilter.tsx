// Filters a list by payment gateway.
import { useTranslation } from 'react-i18next';
import { PaymentMethod } from '@/core/constants.gen';
import { SelectField } from '@/ui/Field';

/** Nobody outside reports what is paid from the wallet. */
const GATEWAYS = Object.values(PaymentMethod).filter((method) => method !== PaymentMethod.Wallet);

export function GatewayFilter({ value, onChange }: { value: string; onChange: (gateway: string) => void }) {
  const { t } = useTranslation(['payments', 'orders']);
  return (
    <SelectField
      label={t('callbacks.gateway')}
      hideLabel
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('callbacks.allGateways')}</option>
      {GATEWAYS.map((one) => (
        <option key={one} value={one}>
          {t(`orders:method.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}
