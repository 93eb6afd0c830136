// The shop's mark and name.
import { useConfigStore } from '@/stores/config';
import { Logo } from '@/ui/Logo';
import s from './app.module.css';

export function Brand() {
  const name = useConfigStore((state) => state.shop?.ShopName ?? 'Postern');
  return (
    <span className={s.brand}>
      <Logo size={24} />
      {name}
    </span>
  );
}
