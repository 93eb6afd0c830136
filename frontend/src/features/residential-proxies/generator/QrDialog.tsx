// The first endpoint of the list as a QR code, for an app on a phone.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints, type ListRequest } from '@/core';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import s from './generator.module.css';

/** Light modules around the code, which scanners need. */
const QUIET = 4;

export function QrDialog({ request, onClose }: { request: ListRequest; onClose: () => void }) {
  const { t } = useTranslation(['generator', 'common']);
  const library = useQuery({
    queryKey: ['qr-library'],
    queryFn: async () => (await import('qrcode-generator')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const line = useMemo(() => {
    const { Template: _, ...plain } = request;
    return endpoints().buildList({ ...plain, Format: 'url', Count: 1 });
  }, [request]);
  const code = useMemo(() => {
    if (!library.data) return undefined;
    // As large as the text needs; a screen is read from near, so that a little may be covered.
    const made = library.data(0, 'M');
    made.addData(line);
    made.make();
    const size = made.getModuleCount();
    let path = '';
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        if (made.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
      }
    }
    return { size: size + 2 * QUIET, path };
  }, [library.data, line]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('qr.title')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('qr.lead')}</p>
        {library.isError && <ErrorState onRetry={() => library.refetch()} />}
        {library.isPending && <LoadingState rows={6} />}
        {code && (
          <svg
            className={s.qr}
            role="img"
            aria-label={t('qr.code')}
            viewBox={`0 0 ${code.size} ${code.size}`}
            shapeRendering="crispEdges"
          >
            <path d={code.path} />
          </svg>
        )}
        <span className={s.secret}>
          <code>{line}</code>
          <CopyButton text={line} label={t('qr.copy')} />
        </span>
        <Notice tone="warn">{t('qr.secret')}</Notice>
      </div>
    </Dialog>
  );
}
