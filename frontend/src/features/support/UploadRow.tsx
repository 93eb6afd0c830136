// A file being attached: progress, error, retry and remove.
import { ArrowClockwise, File, Image, X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { useRuleText } from '@/ui/form';
import s from './support.module.css';
import type { Upload } from './useUploads';

export function UploadRow({
  upload,
  onRetry,
  onRemove,
}: {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}) {
  const { t, i18n } = useTranslation('support');
  const { file, part, attachment, broken, failed } = upload;
  const ruleText = useRuleText(Boolean(broken));
  const rule = broken && Object.values(broken)[0]?.[0];
  const wrong = rule ? ruleText(rule) : failed;
  const Icon = file.type.startsWith('image/') ? Image : File;
  return (
    <li className={s.upload} data-wrong={wrong !== undefined || undefined}>
      <Icon size={18} aria-hidden="true" />
      <div>
        <span className={s.fileName}>{attachment?.Name ?? file.name}</span>
        {wrong !== undefined && <span role="alert">{wrong}</span>}
        {wrong === undefined && attachment && <span>{bytesText(file.size, i18n.language)}</span>}
        {wrong === undefined && !attachment && (
          <progress value={part} aria-label={t('uploadingFile', { Name: file.name })} />
        )}
      </div>
      {failed !== undefined && (
        <IconButton size="small" label={t('retryFile', { Name: file.name })} onClick={onRetry}>
          <ArrowClockwise size={15} />
        </IconButton>
      )}
      <IconButton size="small" label={t('removeFile', { Name: file.name })} onClick={onRemove}>
        <X size={15} />
      </IconButton>
    </li>
  );
}
