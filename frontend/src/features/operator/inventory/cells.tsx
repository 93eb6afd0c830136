// Cells that several lists of the inventory share.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { NodeState } from '@/core/constants.gen';
import { Flag } from '@/ui/Flag';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';
import { placeText, useName } from '@/ui/texts';
import s from './inventory.module.css';

export const NONE = '–';

type Placed = Pick<Schemas['CityShelf'], 'Country' | 'CityNameEn' | 'CityNameZh' | 'CountryNameEn' | 'CountryNameZh'>;

/** City and country in the operator's language. */
export function usePlaceText() {
  const name = useName();
  return ({ CityNameEn, CityNameZh, CountryNameEn, CountryNameZh }: Placed) =>
    placeText(name({ en: CityNameEn, zh: CityNameZh }), name({ en: CountryNameEn, zh: CountryNameZh }));
}

export function Place({ of }: { of: Placed }) {
  const placeOf = usePlaceText();
  return (
    <span className={s.place}>
      <Flag country={of.Country} />
      <span className={s.ellipsis}>{placeOf(of)}</span>
    </span>
  );
}

const TONES: Record<NodeState, Tone> = {
  [NodeState.Available]: 'good',
  [NodeState.Held]: 'warn',
  [NodeState.Assigned]: 'accent',
  [NodeState.Grace]: 'warn',
  [NodeState.Quarantined]: 'neutral',
  [NodeState.Retired]: 'neutral',
};

export function StateBadge({ state }: { state: NodeState }) {
  const { t } = useTranslation('inventory');
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>;
}
