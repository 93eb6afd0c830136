// How old the last backup is, how to make one, and the backups before it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { Backup } from '@/api/system';
import { BACKUP_DAYS } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { CodeBlock } from '@/ui/CopyButton';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { AgoText, DateText } from '@/ui/texts';
import { tookText } from './durations';
import s from './system.module.css';
import { usePhone } from './usePhone';

const COMMAND = 'postern backup FILE';
const GUIDE = '/docs/backups';
/** More on demand. */
const FIRST_ROWS = 5;

export function Backups({ list: { Backups: backups, IsRecent: isRecent } }: { list: Schemas['BackupList'] }) {
  const { t } = useTranslation('system');
  const isPhone = usePhone();
  const [hasAll, setAll] = useState(false);
  const [last] = backups;
  const shown = hasAll ? backups : backups.slice(0, FIRST_ROWS);
  const age = last && (
    <AgoText value={last.BeganAt} justNow={t('backups.lastNow')} phrase={(Ago) => t('backups.last', { Ago })} />
  );
  const Rows = isPhone ? BackupCards : BackupTable;
  return (
    <Card title={t('backups.title')} aside={age && <span className={s.soft}>{age}</span>}>
      <div className={s.part}>
        {!isRecent && (
          <Notice tone="warn">
            <strong>{last ? t('backups.old', { Days: BACKUP_DAYS }) : t('backups.none')}</strong>
            <p>{t(last ? 'backups.oldRisk' : 'backups.noneRisk')}</p>
          </Notice>
        )}
        {isRecent || (
          <div className={s.command}>
            <p>{t('backups.run')}</p>
            <CodeBlock text={COMMAND} label={t('backups.command')} copyLabel={t('backups.copyCommand')} />
          </div>
        )}
        <p className={s.soft}>
          {fillText((marks) => t('backups.more', { Days: BACKUP_DAYS, ...marks }), {
            Guide: (
              <a href={GUIDE} target="_blank" rel="noreferrer">
                {t('backups.guide')}
              </a>
            ),
          })}
        </p>
        {shown.length > 0 && <Rows backups={shown} />}
        {backups.length > shown.length && (
          <div>
            <Button size="small" onClick={() => setAll(true)}>
              {t('backups.all', { count: backups.length })}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

interface RowsProps {
  backups: Backup[];
}

const keyOf = ({ BeganAt, FileName }: Backup) => `${BeganAt} ${FileName}`;

function BackupTable({ backups }: RowsProps) {
  const { t, i18n } = useTranslation('system');
  return (
    <table className={s.table}>
      <caption className="visually-hidden">{t('backups.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('backups.began')}</th>
          <th scope="col">{t('backups.file')}</th>
          <th scope="col">{t('backups.encrypted')}</th>
          <th scope="col" data-right>
            {t('backups.size')}
          </th>
          <th scope="col" data-right>
            {t('backups.took')}
          </th>
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => (
          <tr key={keyOf(backup)}>
            <td>
              <DateText value={backup.BeganAt} />
            </td>
            <td className={s.file}>{backup.FileName}</td>
            <td>{t(backup.IsEncrypted ? 'backups.yes' : 'backups.no')}</td>
            <td data-right>{bytesText(backup.Bytes, i18n.language)}</td>
            <td data-right>{tookText(backup.TookMs, i18n.language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BackupCards({ backups }: RowsProps) {
  const { t, i18n } = useTranslation('system');
  return (
    <ul className={s.rows} aria-label={t('backups.title')}>
      {backups.map((backup) => (
        <li key={keyOf(backup)}>
          <RowCard low>
            <RowLine>
              <DateText value={backup.BeganAt} />
              <span>{bytesText(backup.Bytes, i18n.language)}</span>
            </RowLine>
            <RowLine soft>
              <span>{t(backup.IsEncrypted ? 'backups.isEncrypted' : 'backups.isNotEncrypted')}</span>
              <span>{tookText(backup.TookMs, i18n.language)}</span>
            </RowLine>
            <RowLine soft>
              <span>{backup.FileName}</span>
            </RowLine>
          </RowCard>
        </li>
      ))}
    </ul>
  );
}
