// Buttons with suggested amounts.
import { useConfigStore } from '@/stores/config';
import { Button } from '@/ui/Button';
import { MoneyText } from '@/ui/texts';
import s from './billing.module.css';

interface PresetsProps {
  label: string;
  chosen: string;
  onChoose: (amount: string) => void;
}

export function Presets({ label, chosen, onChoose }: PresetsProps) {
  const shop = useConfigStore((state) => state.shop);
  return (
    <fieldset className={s.presets}>
      <legend className="visually-hidden">{label}</legend>
      {shop?.TopUpPresets.map((preset) => (
        <Button
          key={preset}
          size="small"
          aria-pressed={preset === chosen}
          variant={preset === chosen ? 'primary' : 'secondary'}
          onClick={() => onChoose(preset)}
        >
          <MoneyText amount={preset} currency={shop.Currency} />
        </Button>
      ))}
    </fieldset>
  );
}
