// Fields: with a hint, with an error, disabled.
import { useState } from 'react';
import { SearchField, Stepper } from '@/ui/Controls';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { Frame, PasswordField, SelectField, TextAreaField, TextField } from '@/ui/Field';
import g from './gallery.module.css';
import { Specimen } from './Part';

const HINT = 'A hint about what belongs here';
const ERROR = 'This is wrong, and why';

export function Fields() {
  const [count, setCount] = useState(2);
  const [search, setSearch] = useState('');
  return (
    <>
      <Specimen label="TextField: plain, hint, error, disabled">
        <TextField label="Name" placeholder="Placeholder" />
        <TextField label="Name" hint={HINT} defaultValue="Something" />
        <TextField label="Name" hint={HINT} error={ERROR} defaultValue="Something" />
        <TextField label="Name" disabled defaultValue="Something" />
        <TextField label="Amount" prefix="$" defaultValue="20.00" />
      </Specimen>
      <Specimen label="TextAreaField: hint, error, disabled">
        <TextAreaField label="Note" hint={HINT} rows={2} />
        <TextAreaField label="Note" error={ERROR} rows={2} defaultValue="Something" />
        <TextAreaField label="Note" disabled rows={2} defaultValue="Something" />
      </Specimen>
      <Specimen label="PasswordField: hint, error, disabled">
        <PasswordField label="Password" hint={HINT} autoComplete="off" />
        <PasswordField label="Password" error={ERROR} autoComplete="off" defaultValue="hidden" />
        <PasswordField label="Password" disabled autoComplete="off" defaultValue="hidden" />
      </Specimen>
      <Specimen label="SelectField: hint, error, disabled">
        {[{ hint: HINT }, { error: ERROR }, { disabled: true }].map((state) => (
          <SelectField key={JSON.stringify(state)} label="Country" defaultValue="DE" {...state}>
            <option value="DE">Germany</option>
            <option value="JP">Japan</option>
          </SelectField>
        ))}
      </Specimen>
      <Specimen label="Frame: label, hint and error around any control">
        <Frame label="Colour" hint={HINT}>
          {(described) => <input type="color" defaultValue="#2457d6" {...described} />}
        </Frame>
      </Specimen>
      <Specimen label="SearchField, and DebouncedSearch, which waits for a pause">
        <SearchField label="Search" />
        <DebouncedSearch label="Search after a pause" value={search} onSearch={setSearch} />
        <output>{search ? `Searched for ${search}` : 'Nothing searched for'}</output>
      </Specimen>
      <Specimen label="Stepper: within its bounds, at its most, invalid">
        <div className={g.row}>
          <Stepper label="IPs" value={count} max={5} onChange={setCount} />
          <Stepper label="IPs, at the most" value={5} max={5} onChange={() => {}} />
          <Stepper label="IPs, invalid" value={9} max={9} invalid onChange={() => {}} />
        </div>
      </Specimen>
    </>
  );
}
