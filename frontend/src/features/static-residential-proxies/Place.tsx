// Location of a proxy: flag, city and country.
import type { Schemas } from '@/api/client';
import { Flag } from '@/ui/Flag';
import { placeText, type useName } from '@/ui/texts';
import s from './static.module.css';

type Placed = Pick<Schemas['OwnedNode'], 'Country' | 'CityNameEn' | 'CityNameZh' | 'CountryNameEn' | 'CountryNameZh'>;

interface PlaceProps {
  node: Placed;
  name: ReturnType<typeof useName>;
  /** Where room is scarce, the flag alone stands for the country. */
  isShort?: boolean;
}

export function Place({ node, name, isShort = false }: PlaceProps) {
  const city = name({ en: node.CityNameEn, zh: node.CityNameZh });
  const full = placeText(city, name({ en: node.CountryNameEn, zh: node.CountryNameZh }));
  return (
    <span className={s.place}>
      <Flag country={node.Country} />
      {isShort ? (
        <>
          <span className={s.ellipsis} aria-hidden="true">
            {city}
          </span>
          <span className="visually-hidden">{full}</span>
        </>
      ) : (
        <span className={s.ellipsis}>{full}</span>
      )}
    </span>
  );
}
