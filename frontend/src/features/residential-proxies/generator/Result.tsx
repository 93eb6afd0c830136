// The generated list: preview, copy, download, and QR code.
import { ArrowsClockwise, Copy, DownloadSimple, QrCode } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListRequest } from '@/core';
import { buildEndpointList } from '@/core/endpointLists';
import { lineCount, textOf } from '@/core/endpointTasks';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { copy } from '@/ui/CopyButton';
import { LoadingState } from '@/ui/Loading';
import { Menu } from '@/ui/Overlay';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { toastError } from '@/ui/toast';
import s from './generator.module.css';
import { LineList } from './LineList';
import { QrDialog } from './QrDialog';
import type { useLines } from './useLines';

const TYPES = { txt: 'text/plain', csv: 'text/csv', json: 'application/json' } as const;

interface ResultProps {
  lines: ReturnType<typeof useLines>;
  request: ListRequest | undefined;
  /** Whether what the list needs is being fetched. */
  isComing: boolean;
  /** New session ids, if the lines have sessions. */
  onReshuffle: (() => void) | undefined;
}

export function Result({ lines, request, isComing, onReshuffle }: ResultProps) {
  const { t, i18n } = useTranslation(['generator', 'common']);
  const [isQrShown, setQrShown] = useState(false);
  const { list, isStale, isFailed } = lines;
  const count = list ? lineCount(list) : 0;
  const isReady = list !== undefined && !isStale && request !== undefined;

  const download = async (kind: keyof typeof TYPES) => {
    if (!isReady) return;
    try {
      const { Template: _, ...plain } = request;
      const file = kind === 'txt' ? list : await buildEndpointList({ ...plain, Format: kind });
      saveFile(new File([file.bytes], `endpoints.${kind}`, { type: TYPES[kind] }));
    } catch {
      toastError(t('result.failed'));
    }
  };

  return (
    <Card
      title={t('result.title')}
      aside={
        list && (
          <small className={s.soft} role="status">
            {t('result.lines', { count })} · {bytesText(list.bytes.length, i18n.language)}
          </small>
        )
      }
    >
      <div className={s.form}>
        <div className={s.buttons}>
          <Button
            variant="primary"
            icon={<Copy size={16} />}
            disabled={!isReady}
            onClick={() => list && copy(textOf(list), t('result.copied', { count }))}
          >
            {t('result.copy')}
          </Button>
          <Menu
            trigger={
              <Button icon={<DownloadSimple size={16} />} disabled={!isReady}>
                {t('result.download')}
              </Button>
            }
            items={(['txt', 'csv', 'json'] as const).map((kind) => ({
              key: kind,
              label: t(`result.${kind}`),
              onSelect: () => download(kind),
            }))}
          />
          <Button icon={<QrCode size={16} />} disabled={!isReady} onClick={() => setQrShown(true)}>
            {t('result.qr')}
          </Button>
          {onReshuffle && (
            <Button variant="ghost" icon={<ArrowsClockwise size={16} />} disabled={!isReady} onClick={onReshuffle}>
              {t('result.newSessions')}
            </Button>
          )}
        </div>
        {isFailed && <ErrorState onRetry={lines.retry} />}
        {!list &&
          !isFailed &&
          (request || isComing ? <LoadingState rows={8} /> : <p className={s.soft}>{t('result.nothing')}</p>)}
        {list && !isFailed && <LineList list={list} label={t('result.title')} isStale={isStale} />}
      </div>
      {isQrShown && request && <QrDialog request={request} onClose={() => setQrShown(false)} />}
    </Card>
  );
}
