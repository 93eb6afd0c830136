// An IP whitelist: a form to add an address, a shortcut for the user's own address, and the entries.
import { Plus, Trash } from '@phosphor-icons/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CallOptions, get } from '@/api/client';
import { endpoints } from '@/core';
import s from './addresses.module.css';
import { Button, IconButton } from './Button';
import { Entry, EntryList } from './EntryList';
import { TextField } from './Field';
import { fillText } from './fillText';
import { useFieldErrors } from './form';
import { LoadingState } from './Loading';
import { ErrorState } from './State';
import { DateText } from './texts';
import { showToast } from './toast';
import { useIdempotentCall } from './useIdempotentCall';

interface NewAddress {
  Address: string;
  Label: string;
}

export interface AddressEntry extends NewAddress {
  id: number;
  LastUsedAt?: string | null | undefined;
}

interface AddressTexts {
  address: string;
  hint: string;
  label: string;
  add: string;
  added: string;
  removed: string;
  addMine: (ip: string) => string;
  /** Label saved with the user's own address. */
  mine: string;
  list: string;
  empty: string;
  lastUsed: (marks: { Time: string }) => string;
  never: string;
  remove: (address: string) => string;
}

interface AddressListProps {
  texts: AddressTexts;
  /** Query that loads the entries. */
  query: UseQueryResult<unknown>;
  /** Undefined while loading. */
  entries: AddressEntry[] | undefined;
  /** The user's own address is not offered if it is among these. */
  taken?: readonly string[] | undefined;
  onAdd: (entry: NewAddress, options: CallOptions) => Promise<unknown>;
  onRemove: (id: number, options: CallOptions) => Promise<unknown>;
  /** Refetches the entries. */
  onChanged: () => Promise<unknown>;
}

export function AddressList({ texts, query, entries, taken, onAdd, onRemove, onChanged }: AddressListProps) {
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const mine = useQuery({
    queryKey: ['client-ip'],
    queryFn: ({ signal }) => get('SystemSettings/GetClientIp', { signal, silent: true }),
    staleTime: 60_000,
  });
  // Not offered: an address that the rules refuse, such as a private one, or one that is already listed.
  const isFit = mine.data && Object.keys(endpoints().validateWhitelistEntry(mine.data.Ip, '')).length === 0;
  const known = taken ?? entries?.map((entry) => entry.Address);
  const myIp = isFit && !known?.includes(mine.data.Ip) ? mine.data.Ip : undefined;

  const add = async (entry: NewAddress): Promise<void> => {
    if (once.isBusy || !errors.passes(endpoints().validateWhitelistEntry(entry.Address, entry.Label))) return;
    try {
      await once.send(entry, (options) => onAdd(entry, options));
      setAddress('');
      setLabel('');
      showToast(texts.added, 'success');
      await onChanged();
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  const remove = async (entry: AddressEntry) => {
    try {
      await once.send(entry.id, (options) => onRemove(entry.id, options));
      showToast(texts.removed, 'success');
    } catch {
      // The API client has shown the error toast; the list is refetched.
    }
    await onChanged();
  };

  return (
    <>
      <form
        className={s.add}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          add({ Address: address.trim(), Label: label.trim() });
        }}
      >
        <TextField
          label={texts.address}
          hint={texts.hint}
          error={errors.textOf('Address')}
          autoComplete="off"
          spellCheck={false}
          value={address}
          onChange={(event) => {
            errors.clear('Address');
            setAddress(event.target.value);
          }}
        />
        <TextField
          label={texts.label}
          error={errors.textOf('Label')}
          value={label}
          onChange={(event) => {
            errors.clear('Label');
            setLabel(event.target.value);
          }}
        />
        <Button type="submit" icon={<Plus size={16} />} loading={once.isBusy}>
          {texts.add}
        </Button>
      </form>
      {myIp && (
        <div>
          <Button size="small" disabled={once.isBusy} onClick={() => add({ Address: myIp, Label: texts.mine })}>
            {texts.addMine(myIp)}
          </Button>
        </div>
      )}
      {query.isError && !entries && <ErrorState onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingState rows={3} />}
      {entries?.length === 0 && <p className={s.soft}>{texts.empty}</p>}
      {entries && entries.length > 0 && (
        <EntryList label={texts.list} busy={query.isFetching}>
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              name={<code>{entry.Address}</code>}
              note={entry.Label}
              aside={
                <small>
                  {fillText(texts.lastUsed, {
                    Time: entry.LastUsedAt ? <DateText value={entry.LastUsedAt} /> : texts.never,
                  })}
                </small>
              }
            >
              <IconButton
                size="small"
                label={texts.remove(entry.Address)}
                disabled={once.isBusy}
                onClick={() => remove(entry)}
              >
                <Trash size={16} />
              </IconButton>
            </Entry>
          ))}
        </EntryList>
      )}
    </>
  );
}
