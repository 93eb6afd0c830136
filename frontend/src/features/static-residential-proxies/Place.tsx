// Location of a proxy: flag, city and country.
import type { Schemas } from '@/api/client';
import { Flag } from '@/ui/Flag';
import { placeText, type useName } from '@/ui/texts';
import s from './static.module.css';

type Placed = Pick<Schemas['OwnedNode'], 'Country' | 'CityNameEn' | 'CityNameZh' | 'CountryNameEn' | 'CountryNameZh'>;

export function Place({ node, name }: { node: Placed; name: ReturnType<typeof useName> }) {
  return (
    <span className={s.place}>
      <Flag country={node.Country} />
      <span className={s.ellipsis}>
        {placeText(
          name({ en: node.CityNameEn, zh: node.CityNameZh }),
          name({ en: node.CountryNameEn, zh: node.CountryNameZh }),
        )}
      </span>
    </span>
  );
}
