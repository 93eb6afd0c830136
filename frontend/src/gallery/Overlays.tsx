// What opens over a screen, and what is said for a while.
import { DotsThree } from '@phosphor-icons/react';
import { useState } from 'react';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { ConfirmDialog, FormDialog } from '@/ui/FormDialog';
import { CheckMenu, ChoiceMenu, Dialog, Drawer, Menu, Popover, SidePanel, TopSheet } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { briefToast, showToast } from '@/ui/toast';
import g from './gallery.module.css';
import { Specimen } from './Part';

const TOASTS = ['default', 'success', 'warning', 'error', 'info'] as const;
const OPENED = [
  'Dialog',
  'Wide dialog',
  'FormDialog',
  'ConfirmDialog',
  'ConfirmDialog in pieces',
  'SidePanel',
  'Drawer',
  'TopSheet',
] as const;
type Opened = (typeof OPENED)[number];
const nothing = () => {};

export function Overlays() {
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      <Specimen label="Dialogs, side panel, drawer, sheet">
        <div className={g.row}>
          {OPENED.map((one) => (
            <Button key={one} onClick={() => setOpened(one)}>
              {one}
            </Button>
          ))}
        </div>
        {opened && <Over opened={opened} onClose={() => setOpened(undefined)} />}
      </Specimen>
      <Specimen label="Popover">
        <div>
          <Popover label="About this" trigger={<Button>Popover</Button>} align="start">
            <div className={g.padded}>Whatever belongs to the button.</div>
          </Popover>
        </div>
      </Specimen>
      <Menus />
      <Specimen label="Toasts: five kinds, and a brief one">
        <div className={g.row}>
          {TOASTS.map((variant) => (
            <Button key={variant} size="small" onClick={() => showToast(`A toast: ${variant}`, variant)}>
              {variant}
            </Button>
          ))}
          <Button size="small" onClick={() => briefToast('Copied')}>
            brief
          </Button>
        </div>
      </Specimen>
    </>
  );
}

function Over({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const text = <p>What it is about.</p>;
  if (opened === 'SidePanel') {
    return (
      <SidePanel title="All about one row" onClose={onClose}>
        {text}
      </SidePanel>
    );
  }
  if (opened === 'FormDialog') {
    return (
      <FormDialog
        title="A form"
        action="Save"
        call={{ isBusy: false, message: 'Refused for a reason that belongs to no field.' }}
        className={g.padded}
        onSubmit={(event) => event.preventDefault()}
        onClose={onClose}
      >
        <TextField label="Name" />
      </FormDialog>
    );
  }
  if (opened === 'ConfirmDialog') {
    const call = { isBusy: false, message: undefined };
    return (
      <ConfirmDialog danger title="Delete it?" action="Delete" call={call} onConfirm={onClose} onClose={onClose}>
        {text}
      </ConfirmDialog>
    );
  }
  if (opened === 'ConfirmDialog in pieces') {
    return (
      <ConfirmDialog
        title="Change all of them?"
        action="Change"
        call={{ isBusy: true, message: undefined }}
        stop={{ label: 'Stop', onStop: onClose }}
        foot={<Progress label="4,000 of about 12,000 done" part={1 / 3} />}
        onConfirm={nothing}
        onClose={onClose}
      >
        {text}
      </ConfirmDialog>
    );
  }
  if (opened === 'Drawer') {
    return (
      <Drawer open onClose={onClose} label="Drawer">
        <div className={g.padded}>{text}</div>
      </Drawer>
    );
  }
  if (opened === 'TopSheet') {
    return (
      <TopSheet onClose={onClose} label="Sheet">
        <div className={g.padded}>
          <TextField label="What is looked for" />
        </div>
      </TopSheet>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={opened}
      wide={opened === 'Wide dialog'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={onClose}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Name" hint="The first field has the focus" />
    </Dialog>
  );
}

function Menus() {
  const [choice, setChoice] = useState('one');
  const [isShown, setShown] = useState(true);
  return (
    <Specimen label="Menu: with a link and a danger; ChoiceMenu; CheckMenu">
      <div className={g.row}>
        <Menu
          label="What can be done"
          trigger={
            <IconButton label="Menu">
              <DotsThree size={18} weight="bold" />
            </IconButton>
          }
          items={[
            { key: 'edit', label: 'Edit', onSelect: nothing },
            { key: 'open', label: 'Open', to: '/somewhere' },
            { key: 'remove', label: 'Remove', danger: true, onSelect: nothing },
          ]}
        />
        <ChoiceMenu
          trigger={<Button>ChoiceMenu</Button>}
          value={choice}
          choices={[
            { value: 'one', label: 'One' },
            { value: 'other', label: 'The other' },
          ]}
          onChoose={setChoice}
        />
        <CheckMenu
          label="Columns"
          trigger={<Button>CheckMenu</Button>}
          items={[{ key: 'name', label: 'Name', checked: isShown, onChange: setShown }]}
        />
      </div>
    </Specimen>
  );
}
