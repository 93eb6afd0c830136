// An IP whitelist: a form to add an address, a shortcut for the user's own address, and the entries.
import { Plus, Trash } from '@phosphor-icons/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { clientIpQuery } from '@/api/account';
import type { Change, NewAddress } from '@/api/calls';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import s from './addresses.module.css';
import { Button, IconButton } from './Button';
import { Entry, EntryList } from './EntryList';
import { TextField } from './Field';
import { fillText } from './fillText';
import { LoadingState } from './Loading';
import { ErrorState } from './State';
import { DateText } from './texts';
import { showToast } from './toast';

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
  add: Change<NewAddress, unknown>;
  /** Removes the entry with this id. */
  remove: Change<number, unknown>;
}

export function AddressList({ texts, query, entries, taken, ...calls }: AddressListProps) {
  const add = useCall(calls.add);
  const remove = useCall(calls.remove);
  const isBusy = add.isBusy || remove.isBusy;
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const mine = useQuery(clientIpQuery);
  // Not offered: an address that the rules refuse, such as a private one, or one that is already listed.
  const isFit = mine.data && Object.keys(screenRules().validateWhitelistEntry(mine.data.Ip, '')).length === 0;
  const known = taken ?? entries?.map((entry) => entry.Address);
  const myIp = isFit && !known?.includes(mine.data.Ip) ? mine.data.Ip : undefined;

  const addEntry = (entry: NewAddress) => {
    if (!add.errors.passes(screenRules().validateWhitelistEntry(entry.Address, entry.Label))) return;
    add.run(entry, () => {
      setAddress('');
      setLabel('');
      showToast(texts.added, 'success');
    });
  };

  return (
    <>
      <form
        className={s.add}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          addEntry({ Address: address.trim(), Label: label.trim() });
        }}
      >
        <TextField
          label={texts.address}
          hint={texts.hint}
          autoComplete="off"
          spellCheck={false}
          {...add.bind('Address', address, setAddress)}
        />
        <TextField label={texts.label} {...add.bind('Label', label, setLabel)} />
        <Button type="submit" icon={<Plus size={16} />} loading={isBusy}>
          {texts.add}
        </Button>
      </form>
      {myIp && (
        <div>
          <Button size="small" disabled={isBusy} onClick={() => addEntry({ Address: myIp, Label: texts.mine })}>
            {texts.addMine(myIp)}
          </Button>
        </div>
      )}
      {query.isError && !entries && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
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
                disabled={isBusy}
                onClick={() => remove.run(entry.id, () => showToast(texts.removed, 'success'))}
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
