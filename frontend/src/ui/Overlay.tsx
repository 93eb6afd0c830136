// Dialogs, popovers and menus, on Radix's accessible primitives. Not for the sign-in screen, which stays small.
import { DropdownMenu, Dialog as RadixDialog, Popover as RadixPopover } from 'radix-ui';
import type { ReactNode } from 'react';
import s from './ui.module.css';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} />
        <RadixDialog.Content className={s.dialog} aria-describedby={undefined}>
          <RadixDialog.Title asChild>
            <h2>{title}</h2>
          </RadixDialog.Title>
          <div>{children}</div>
          {actions && <div className={s.dialogActions}>{actions}</div>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export function Popover({ trigger, children, label }: { trigger: ReactNode; children: ReactNode; label: string }) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content className={s.popover} align="end" sideOffset={6} collisionPadding={12} aria-label={label}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
}

export function Menu({ trigger, label, items }: { trigger: ReactNode; label?: ReactNode; items: MenuItem[] }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={`${s.popover} ${s.menu}`} align="end" sideOffset={6} collisionPadding={12}>
          {label && <DropdownMenu.Label className={s.menuLabel}>{label}</DropdownMenu.Label>}
          {items.map((item) => (
            <DropdownMenu.Item key={item.key} className={s.menuItem} onSelect={item.onSelect}>
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A list of things to tick off. */
export function CheckMenu({
  trigger,
  label,
  items,
}: {
  trigger: ReactNode;
  label: string;
  items: { key: string; label: string; checked: boolean; onChange: (checked: boolean) => void }[];
}) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={`${s.popover} ${s.menu}`} align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.Label className={s.menuLabel}>{label}</DropdownMenu.Label>
          {items.map((item) => (
            <DropdownMenu.CheckboxItem
              key={item.key}
              className={s.menuItem}
              checked={item.checked}
              onCheckedChange={item.onChange}
              onSelect={(event) => event.preventDefault()}
            >
              <span aria-hidden="true" style={{ width: 14 }}>
                {item.checked ? '✓' : ''}
              </span>
              {item.label}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
