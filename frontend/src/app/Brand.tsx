// The shop's mark and name.
import { useConfigStore } from '@/stores/config';
import { Mark } from '@/ui/Mark';
import s from './app.module.css';

export function Brand() {
  const name = useConfigStore((state) => state.shop?.ShopName ?? 'Postern');
  return (
    <span className={s.brand}>
      <Mark size={24} />
      {name}
    </span>
  );
}
