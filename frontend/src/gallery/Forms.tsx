// Forms that several screens share.
import { useQuery } from '@tanstack/react-query';
import { useCall } from '@/api/useCall';
import { AddressList } from '@/ui/AddressList';
import { DetailsForm } from '@/ui/account/DetailsForm';
import { Button } from '@/ui/Button';
import { showToast } from '@/ui/toast';
import { DETAILS } from './examples';
import g from './gallery.module.css';
import { Specimen } from './Part';

const ENTRIES = [
  { id: 1, Address: '203.0.113.7', Label: 'Office', LastUsedAt: '2026-11-22 08:00:00' },
  { id: 2, Address: '203.0.113.0/24', Label: 'Servers', LastUsedAt: null },
];
const TEXTS = {
  address: 'Address',
  hint: 'An IP address or a network',
  label: 'Label',
  add: 'Add',
  added: 'Added',
  removed: 'Removed',
  addMine: (ip: string) => `Add ${ip}, which is yours`,
  mine: 'Mine',
  list: 'Addresses',
  empty: 'No addresses yet',
  lastUsed: ({ Time }: { Time: string }) => `Last used: ${Time}`,
  never: 'never',
  remove: (address: string) => `Remove ${address}`,
};
const NOTHING = { send: async () => null };
const FORM = 'gallery-details';

export function Forms() {
  const call = useCall(NOTHING);
  return (
    <>
      <Specimen label="DetailsForm: who the customer is">
        <DetailsForm
          id={FORM}
          details={DETAILS}
          withContact
          call={call}
          onSaved={() => showToast('Saved', 'success')}
        />
        <div className={g.row}>
          <Button type="submit" form={FORM} variant="primary" loading={call.isBusy}>
            Save
          </Button>
        </div>
      </Specimen>
      <Addresses label="AddressList: addresses that need no password" name="entries" load={async () => ENTRIES} />
      <Addresses label="AddressList: none yet" name="no-entries" load={async () => []} />
    </>
  );
}

interface AddressesProps {
  label: string;
  name: string;
  load: () => Promise<typeof ENTRIES>;
}

function Addresses({ label, name, load }: AddressesProps) {
  const query = useQuery({ queryKey: [name], queryFn: load });
  return (
    <Specimen label={label}>
      <AddressList texts={TEXTS} query={query} entries={query.data} add={NOTHING} remove={NOTHING} />
    </Specimen>
  );
}
