// The shop's mark and name.
import { useConfigStore } from '@/stores/config';
import s from './app.module.css';

export function Brand() {
  const name = useConfigStore((state) => state.shop?.ShopName ?? 'Postern');
  return (
    <span className={s.brand}>
      <img src="/favicon.svg" alt="" width={24} height={24} />
      {name}
    </span>
  );
}
