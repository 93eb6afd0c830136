// Buttons: every look, size and state; links that look like them; what is done with a selection.
import { Plus, Trash } from '@phosphor-icons/react';
import { BulkButtons } from '@/ui/BulkButtons';
import { Button, ButtonLink, IconButton } from '@/ui/Button';
import { TopUpMissing } from '@/ui/order/TopUpMissing';
import g from './gallery.module.css';
import { Specimen } from './Part';

const VARIANTS = ['primary', 'secondary', 'ghost', 'danger'] as const;
const SIZES = ['small', 'medium', 'large'] as const;
const nothing = () => {};

export function Buttons() {
  return (
    <>
      {VARIANTS.map((variant) => (
        <Specimen key={variant} label={`Button, ${variant}: three sizes, with an icon, busy, disabled`}>
          <div className={g.row}>
            {SIZES.map((size) => (
              <Button key={size} variant={variant} size={size}>
                {size}
              </Button>
            ))}
          </div>
          <div className={g.row}>
            <Button variant={variant} icon={<Plus size={17} aria-hidden="true" />}>
              With icon
            </Button>
            <Button variant={variant} loading>
              Busy
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
          </div>
        </Specimen>
      ))}
      <Specimen label="TopUpMissing: the missing amount, and the shop's minimum">
        <TopUpMissing balance="3.50" total="20.00" shop={{ MinTopUp: '5.00', Currency: 'USD' }} />
        <TopUpMissing balance="3.50" total="5.00" shop={{ MinTopUp: '5.00', Currency: 'USD' }} />
      </Specimen>
      <Specimen label="Button, wide">
        <Button variant="primary" wide>
          As wide as there is room
        </Button>
      </Specimen>
      <Specimen label="IconButton: looks and sizes, disabled">
        <div className={g.row}>
          {VARIANTS.map((variant) => (
            <IconButton key={variant} label={`Remove, ${variant}`} variant={variant}>
              <Trash size={16} />
            </IconButton>
          ))}
          <IconButton label="Remove, small" size="small">
            <Trash size={15} />
          </IconButton>
          <IconButton label="Remove, disabled" disabled>
            <Trash size={16} />
          </IconButton>
        </div>
      </Specimen>
      <Specimen label="ButtonLink: a link that looks like a button">
        <div className={g.row}>
          <ButtonLink to="/somewhere">Link</ButtonLink>
          <ButtonLink to="/somewhere" variant="primary">
            Primary link
          </ButtonLink>
        </div>
      </Specimen>
      <Specimen label="BulkButtons: beside each other, on a phone in a menu">
        <div className={g.row}>
          <BulkButtons
            label="Actions"
            items={[
              { key: 'renew', label: 'Renew', onSelect: nothing },
              { key: 'remove', label: 'Remove', icon: <Trash size={15} aria-hidden="true" />, onSelect: nothing },
            ]}
          />
        </div>
      </Specimen>
    </>
  );
}
