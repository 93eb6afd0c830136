// Dates: a range of days, a moment, the calendar itself.
import { useState } from 'react';
import { Calendar } from '@/ui/Calendar';
import { DateRange, type Range } from '@/ui/DateRange';
import { DateTimeField } from '@/ui/DateTimeField';
import { Specimen } from './Part';

export function Dates() {
  const [open, setOpen] = useState<Range>(['', '']);
  const [range, setRange] = useState<Range>(['2026-11-02', '2026-11-20']);
  const [moment, setMoment] = useState('2026-11-23 14:30');
  return (
    <>
      <Specimen label="DateRange: empty, and with days">
        <DateRange label="Any day" value={open} onChange={setOpen} />
        <DateRange label="Days" value={range} onChange={setRange} />
      </Specimen>
      <Specimen label="DateTimeField: hint, error">
        <DateTimeField
          label="Expires"
          hint="In your time zone"
          value={moment}
          onChange={(event) => setMoment(event.target.value)}
        />
        <DateTimeField label="Expires" error="This is no time" value="soon" onChange={() => {}} />
      </Specimen>
      <Specimen label="Calendar">
        <div>
          <Calendar value={moment} onChange={setMoment} onDone={() => {}} />
        </div>
      </Specimen>
    </>
  );
}
