// A QR code. The library is loaded on demand.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LoadingState } from './Loading';
import s from './qr.module.css';
import { ErrorState } from './State';

/** Quiet zone around the code, in modules. */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const library = useQuery({
    queryKey: ['qr-library'],
    queryFn: async () => (await import('qrcode-generator')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const code = useMemo(() => {
    if (!library.data) return undefined;
    // The smallest version that fits, with medium error correction.
    const made = library.data(0, 'M');
    made.addData(text);
    made.make();
    const size = made.getModuleCount();
    let path = '';
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        if (made.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
      }
    }
    return { size: size + 2 * QUIET, path };
  }, [library.data, text]);
  if (library.isError) return <ErrorState error={library.error} onRetry={() => library.refetch()} />;
  if (!code) return <LoadingState rows={6} />;
  return (
    <svg
      className={s.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
    >
      <path d={code.path} />
    </svg>
  );
}
