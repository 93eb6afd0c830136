// The shop's logo and name.
import { useState } from 'react';
import { shopOfPage, useConfigStore } from '@/stores/config';
import { LogoAndName } from '@/ui/Logo';
import s from './app.module.css';

export const BRAND_LOGO_SIZE = 24;

export function Brand() {
  const [ofPage] = useState(shopOfPage);
  const name = useConfigStore((state) => state.shop?.ShopName ?? ofPage.name);
  return (
    <span className={s.brand}>
      <LogoAndName size={BRAND_LOGO_SIZE} src={ofPage.logo} isWordmark={ofPage.isWordmark} name={name} />
    </span>
  );
}
