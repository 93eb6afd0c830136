// Choosing: one of a few, any of a few, on or off.
import { useState } from 'react';
import { OptionList, SegmentedControl, Toggle } from '@/ui/Controls';
import g from './gallery.module.css';
import { Specimen } from './Part';

export function Choices() {
  const [segment, setSegment] = useState('day');
  const [option, setOption] = useState('all');
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Specimen label="SegmentedControl">
        <SegmentedControl
          label="Step"
          value={segment}
          segments={[
            { value: 'hour', label: 'Hour' },
            { value: 'day', label: 'Day' },
            { value: 'month', label: 'Month' },
          ]}
          onChange={setSegment}
        />
      </Specimen>
      <Specimen label="OptionList: with hints, and with a disabled option">
        <OptionList
          label="Events"
          value={option}
          options={[
            { value: 'all', label: 'All events', hint: 'Also those that later versions bring' },
            { value: 'chosen', label: 'Only chosen events' },
            { value: 'none', label: 'None', hint: 'Not possible here', disabled: true },
          ]}
          onChange={setOption}
        />
      </Specimen>
      <Specimen label="OptionList: with an error">
        <OptionList
          label="Refund to"
          value="source"
          options={[
            { value: 'wallet', label: 'Wallet' },
            { value: 'source', label: 'Card' },
          ]}
          error="At most $5.00 can go back there"
          onChange={() => {}}
        />
      </Specimen>
      <Specimen label="Toggle: on, off, busy, without its label">
        <div className={g.row}>
          <Toggle label={isOn ? 'On' : 'Off'} checked={isOn} onChange={setOn} />
          <Toggle label="Off" checked={!isOn} onChange={(checked) => setOn(!checked)} />
          <Toggle label="Busy" checked busy onChange={() => {}} />
          <Toggle label="Hidden label" hideLabel checked={isOn} onChange={setOn} />
        </div>
      </Specimen>
      <Specimen label="Checkboxes">
        <div className={g.row}>
          <label>
            <input type="checkbox" /> Off
          </label>
          <label>
            <input type="checkbox" defaultChecked /> On
          </label>
          <label>
            <input type="checkbox" disabled /> Disabled
          </label>
          <label>
            <input type="checkbox" disabled defaultChecked /> On, disabled
          </label>
        </div>
      </Specimen>
    </>
  );
}
