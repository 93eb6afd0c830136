// Toast containers: up to three at the bottom left, and brief ones at the top.
import { useEffect } from 'react';
import toast, { Toaster, useToasterStore } from 'react-hot-toast';
import { TOAST_LIMIT } from '@/core/constants.gen';
import './toasts.css';
import { BRIEF_TOASTER, MAIN_TOASTER } from './toast';
import { useToastEdge } from './useToastEdge';

export function Toasters() {
  const { toasts } = useToasterStore({}, MAIN_TOASTER);
  useEffect(() => {
    // Newest first; toasts beyond the limit are dismissed.
    for (const surplus of toasts.filter((one) => one.visible).slice(TOAST_LIMIT))
      toast.dismiss(surplus.id, MAIN_TOASTER);
  }, [toasts]);
  const bottom = useToastEdge(toasts.filter((one) => one.visible).length);
  return (
    <>
      <Toaster
        toasterId={MAIN_TOASTER}
        position="bottom-left"
        gutter={10}
        containerStyle={{ bottom, transition: 'bottom 0.15s' }}
      />
      <Toaster toasterId={BRIEF_TOASTER} position="top-center" />
    </>
  );
}
