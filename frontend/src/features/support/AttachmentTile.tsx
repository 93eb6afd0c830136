// An attachment: pictures are previewed and open larger, other files are downloaded.
import { DownloadSimple, File as FileIcon, FilePdf, FileText, ImageBroken } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attachmentQuery, fetchAttachment } from '@/api/support';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { Dialog } from '@/ui/Overlay';
import { saveFile } from '@/ui/saveFile';
import s from './support.module.css';
import type { Attachment } from './useConversation';

/** Maximum size of a preview in pixels. */
const SHOWN = { width: 240, height: 200 };

const ICONS = { pdf: FilePdf, text: FileText } as const;

const isPicture = ({ Kind }: Attachment) => Kind === 'png' || Kind === 'jpeg' || Kind === 'webp';

export function AttachmentTile({ attachment }: { attachment: Attachment }) {
  return isPicture(attachment) ? <Picture attachment={attachment} /> : <FileTile attachment={attachment} />;
}

function FileTile({ attachment }: { attachment: Attachment }) {
  const { t, i18n } = useTranslation('support');
  const call = useCall(fetchAttachment);
  const Icon = ICONS[attachment.Kind as keyof typeof ICONS] ?? FileIcon;
  return (
    <button
      type="button"
      className={s.file}
      onClick={() => call.run(attachment, saveFile)}
      disabled={call.isBusy}
      aria-label={t('saveFile', { Name: attachment.Name })}
    >
      <Icon size={22} aria-hidden="true" />
      <span>
        <span className={s.fileName}>{attachment.Name}</span>
        <span className={s.soft}>{bytesText(attachment.Bytes, i18n.language)}</span>
      </span>
      <DownloadSimple size={16} aria-hidden="true" />
    </button>
  );
}

/** Object URL of the picture, once loaded. */
function usePicture(attachment: Attachment) {
  const file = useQuery(attachmentQuery(attachment));
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file.data) return;
    const made = URL.createObjectURL(file.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file.data]);
  return { address, file: file.data, isFailed: file.isError };
}

function Picture({ attachment }: { attachment: Attachment }) {
  const { t } = useTranslation('support');
  const [isOpen, setOpen] = useState(false);
  const { address, file, isFailed } = usePicture(attachment);
  const { Name, Width = SHOWN.width, Height = SHOWN.height } = attachment;
  const scale = Math.min(1, SHOWN.width / (Width ?? 1), SHOWN.height / (Height ?? 1));
  const size = { width: Math.max(48, (Width ?? 1) * scale), height: Math.max(48, (Height ?? 1) * scale) };
  return (
    <>
      <button
        type="button"
        className={s.picture}
        style={size}
        onClick={() => setOpen(true)}
        disabled={!address}
        aria-label={t('openPicture', { Name })}
      >
        {address && <img src={address} alt={Name} />}
        {isFailed && <ImageBroken size={24} aria-hidden="true" />}
      </button>
      {isOpen && address && (
        <Dialog
          open
          wide
          onClose={() => setOpen(false)}
          title={Name}
          actions={
            <Button icon={<DownloadSimple size={17} />} onClick={() => file && saveFile(file)}>
              {t('save')}
            </Button>
          }
        >
          <img className={s.large} src={address} alt={Name} />
        </Dialog>
      )}
    </>
  );
}
