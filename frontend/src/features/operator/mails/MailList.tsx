// The mails of the last days: to whom, with which text, what became of them, and what can be sent again.
import { ArrowClockwise } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { loadMails, MAILS, type Mail } from '@/api/system';
import { MailState } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { IconButton } from '@/ui/Button';
import { type Column, DataGrid, nothingSelected, type Selection } from '@/ui/DataGrid';
import { useFilters } from '@/ui/listAddress';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { MailDialog } from './MailDialog';
import { MailFilters } from './MailFilters';
import { StateBadge, useAttemptsText } from './MailState';
import s from './mails.module.css';
import { ResendSelected } from './ResendSelected';
import { templateIn, textAt } from './templates';
import { useResend } from './useResend';

/** Mails are sent within seconds. */
const POLL_MS = 10_000;

const STATES = Object.values(MailState);
const mailId = (mail: Mail) => String(mail.MailId);

export function MailList() {
  const { t } = useTranslation('mails');
  const [inAddress, change] = useFilters(['Search', 'State', 'Template', 'From', 'To']);
  const { Search, From, To } = inAddress;
  const State = STATES.find((state) => state === inAddress.State) ?? '';
  const Template = templateIn(inAddress.Template) ?? '';
  const filters = { Search, State, Template, From, To };
  const filtersKey = JSON.stringify(filters);
  // Changing the filters clears the selection.
  const [selected, setSelected] = useState<{ of: string; rows: Selection<Mail> }>();
  const selection = selected?.of === filtersKey ? selected.rows : nothingSelected;
  const [opened, setOpened] = useState<Mail>();
  const mayResend = useMay()('Operator/ResendMails');
  const { resend, isSending } = useResend();
  const attemptsText = useAttemptsText();
  const template = (mail: Mail) => (
    <Link className={s.cut} to={textAt(mail.Template, mail.Language)} title={t('showText')}>
      {t(`templates.${mail.Template}`)}
    </Link>
  );
  const state = (mail: Mail) => {
    const attempts = attemptsText(mail);
    return (
      <span className={s.lines} data-lines="">
        <StateBadge mail={mail} />
        {attempts && (
          <small title={mail.NextAttemptAt ?? undefined} data-more>
            {attempts}
          </small>
        )}
      </span>
    );
  };
  const said = (mail: Mail) =>
    mail.Error && (
      <button type="button" className={s.open} onClick={() => setOpened(mail)} title={t('open')}>
        <span lang="en">{mail.Error}</span>
      </button>
    );
  const again = (mail: Mail) =>
    mayResend &&
    mail.CanResend && (
      <span className={s.actions}>
        <IconButton
          size="small"
          label={t('resend.to', { Recipient: mail.Recipient })}
          aria-busy={isSending([mail]) || undefined}
          onClick={() => resend([mail])}
        >
          <ArrowClockwise size={17} />
        </IconButton>
      </span>
    );
  const columns: Column<Mail>[] = [
    {
      field: 'CreatedAt',
      title: t('created'),
      width: 172,
      sortable: true,
      cell: (mail) => <DateText value={mail.CreatedAt} />,
    },
    { field: 'Recipient', title: t('recipient'), width: 220, flex: 1, always: true, cell: (mail) => mail.Recipient },
    { field: 'Template', title: t('mail'), width: 240, flex: 1, cell: template },
    { field: 'State', title: t('stateTitle'), width: 210, cell: state },
    { field: 'Error', title: t('error'), width: 240, flex: 2, cell: (mail) => said(mail) || '–' },
    {
      field: 'SentAt',
      title: t('sent'),
      width: 172,
      optional: 'room',
      cell: (mail) => <DateText value={mail.SentAt} />,
    },
    {
      field: 'Language',
      title: t('language'),
      width: 104,
      optional: true,
      cell: (mail) => t(`languages.${mail.Language}`),
    },
    ...(mayResend
      ? [{ field: 'Actions', title: t('actions'), width: 84, pinned: 'right' as const, always: true, cell: again }]
      : []),
  ];
  return (
    <>
      <DataGrid<Mail>
        name={MAILS}
        label={t('view.list')}
        columns={columns}
        rowId={mailId}
        filters={filters}
        refetchInterval={POLL_MS}
        // Core converts the range to StartTime and EndTime in UTC.
        load={loadMails({ Search, Filter: { State, Template }, StartAndEndTime: [From, To] })}
        isTall
        toolbar={<MailFilters filters={filters} onChange={change} />}
        {...(mayResend && {
          selection: {
            value: selection,
            onChange: (rows: Selection<Mail>) => setSelected({ of: filtersKey, rows }),
            nameOf: (mail: Mail) => t('mailTo', { Mail: t(`templates.${mail.Template}`), Recipient: mail.Recipient }),
            actions: (
              <ResendSelected
                mails={selection.rows}
                isBusy={isSending(selection.rows)}
                // What was sent may no longer match the filters.
                onResend={() => resend(selection.rows, () => setSelected(undefined))}
              />
            ),
          },
        })}
        card={(mail) => (
          <RowCard low className={s.row}>
            <RowLine>
              <span className={s.cut}>{mail.Recipient}</span>
              {mayResend && mail.CanResend && <RowActions>{again(mail)}</RowActions>}
            </RowLine>
            <RowLine>
              {template(mail)}
              <StateBadge mail={mail} />
            </RowLine>
            <RowLine soft>
              {mail.NextAttemptAt && attemptsText(mail) ? null : <DateText value={mail.CreatedAt} />}
              {attemptsText(mail) && <small className={s.cut}>{attemptsText(mail)}</small>}
            </RowLine>
            {mail.Error && <RowLine>{said(mail)}</RowLine>}
          </RowCard>
        )}
        empty={<EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>}
      />
      {opened && (
        <MailDialog
          mail={opened}
          isSending={isSending([opened])}
          onResend={mayResend ? () => resend([opened], () => setOpened(undefined)) : undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
