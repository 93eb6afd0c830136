// Dialogs, drawers, popovers and menus, built on Radix. Not used on the sign-in screen, to keep its bundle small.
import { CaretRight, Check, X } from '@phosphor-icons/react';
import { DropdownMenu, Dialog as RadixDialog, Popover as RadixPopover, Slot } from 'radix-ui';
import { type ReactNode, type SyntheticEvent, startTransition, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button, IconButton } from './Button';
import s from './overlay.module.css';
import { useFocusReturn } from './useFocusReturn';
import { useLeaving } from './useLeaving';
import { BOTTOM_BAR } from './useToastEdge';

// An open select handles Escape itself; without this check the dialog would close too.
if (globalThis.CSS?.supports?.('selector(select:open)')) {
  const isList = (event: KeyboardEvent) => event.key === 'Escape' && document.querySelector('select:open') !== null;
  window.addEventListener('keydown', (event) => isList(event) && event.stopPropagation(), { capture: true });
}

interface DialogProps {
  open: boolean;
  /** Without it, only its actions close the dialog: there is no close button, and Escape and a click beside it do nothing. */
  onClose?: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Above the actions, and in sight wherever the content is scrolled to. */
  foot?: ReactNode;
  /** Wider, for example for tables. */
  wide?: boolean;
  /** Its content cannot be shown again: Escape and a click beside it ask before they close it, as they do if something was typed. */
  shownOnce?: boolean;
  /** Something is under way that must not be lost sight of: only the dialog's actions close it for now. */
  isHeld?: boolean;
}

/** Whether a modal dialog is open, over which shortcuts must not open another one. */
export const isModalOpen = () => document.querySelector('[data-modal]') !== null;

/** The title and the close button. */
function Head({ title, onClose, isHeld }: { title: ReactNode; onClose: (() => void) | undefined; isHeld?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={s.dialogHead}>
      <RadixDialog.Title asChild>
        <h2>{title}</h2>
      </RadixDialog.Title>
      {onClose && (
        <IconButton size="small" label={t('close')} disabled={isHeld} onClick={onClose}>
          <X size={16} />
        </IconButton>
      )}
    </div>
  );
}

export function Dialog(props: DialogProps) {
  const { open, onClose, title, children, actions, foot, wide, shownOnce = false, isHeld = false } = props;
  const { remember, onCloseAutoFocus } = useFocusReturn();
  const leaving = useLeaving(shownOnce, isHeld);
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} />
        <RadixDialog.Content
          className={s.dialog}
          data-modal
          data-wide={wide || undefined}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            remember();
            leaving.begin();
            focusFirstField(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          onFocusCapture={leaving.onFocusCapture}
          onEscapeKeyDown={(event) => leaving.guard(event, true)}
          onInteractOutside={(event) => leaving.guard(event)}
        >
          <Head title={title} onClose={onClose} isHeld={isHeld} />
          <div data-body>{children}</div>
          {foot && <div>{foot}</div>}
          {leaving.isAsking && <Question isShownOnce={shownOnce} onStay={leaving.stay} onLeave={() => onClose?.()} />}
          {actions && (
            <div className={s.dialogActions} hidden={leaving.isAsking} {...BOTTOM_BAR}>
              {actions}
            </div>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** In the place of the actions, so that nothing moves: whether the dialog may close. */
function Question({ isShownOnce, onStay, onLeave }: { isShownOnce: boolean; onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={s.dialogActions} role="alert" {...BOTTOM_BAR}>
      <strong className={s.question}>{t(isShownOnce ? 'leaving.once' : 'leaving.input')}</strong>
      <Button variant="danger" onClick={onLeave}>
        {t(isShownOnce ? 'leaving.close' : 'leaving.discard')}
      </Button>
      <Button variant="primary" autoFocus onClick={onStay}>
        {t(isShownOnce ? 'leaving.stay' : 'leaving.keep')}
      </Button>
    </div>
  );
}

/** Focuses the first field of a dialog, or the dialog itself rather than the close button. */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>(
    '[data-body] :is(input:checked, input:not([type="radio"]), select, textarea):not(:disabled)',
  );
  event.preventDefault();
  (field ?? dialog).focus();
}

/** A drawer that overlays the screen, used on phones. */
export function Drawer({
  open,
  onClose,
  label,
  children,
}: Omit<DialogProps, 'title' | 'actions' | 'wide'> & { label: string }) {
  const { remember, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} />
        <RadixDialog.Content
          className={s.drawer}
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <RadixDialog.Title className="visually-hidden">{label}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface SidePanelProps {
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

/** A panel with the details of a row, beside the list; on phones over it. */
export function SidePanel({ onClose, title, children }: SidePanelProps) {
  const { remember, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} data-light />
        <RadixDialog.Content
          className={s.panel}
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            remember();
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <Head title={title} onClose={onClose} />
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface SheetProps {
  onClose: () => void;
  label: string;
  children: ReactNode;
  /** Where the focus goes on close, if not back to the opener. */
  landing?: () => HTMLElement | null;
}

/** A search dialog aligned to the top, so that it does not move when its content changes height. */
export function TopSheet({ onClose, label, children, landing }: SheetProps) {
  const { remember, onCloseAutoFocus } = useFocusReturn(landing);
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} />
        <RadixDialog.Content
          className={s.sheet}
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={onCloseAutoFocus}
          // During IME composition, Escape cancels the composition.
          onEscapeKeyDown={(event) => event.isComposing && event.preventDefault()}
        >
          <RadixDialog.Title className="visually-hidden">{label}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface PopoverProps {
  trigger: ReactNode;
  children: ReactNode;
  label: string;
  align?: 'start' | 'end';
  /** Controlled state, if something else closes the popover too. */
  state?: { open: boolean; onOpenChange: (isOpen: boolean) => void };
}

export function Popover({ trigger, children, label, align = 'end', state }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  // Opening is a transition, so that the button responds before the content is rendered.
  const own = {
    open: isOpen,
    onOpenChange: (opens: boolean) => (opens ? startTransition(() => setOpen(true)) : setOpen(false)),
  };
  return (
    <RadixPopover.Root {...(state ?? own)}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          className={s.popover}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
        >
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
  /** A link to a screen. */
  to?: string;
  onSelect?: () => void;
  /** Destructive action. */
  danger?: boolean;
  /** The chosen one of a menu's choices. */
  checked?: boolean;
  /** Opens a menu of these. */
  items?: MenuItem[];
}

interface MenuFrameProps {
  trigger: ReactNode;
  side?: 'bottom' | 'right';
  /** The edge of the button that the menu starts or ends at. */
  align?: 'start' | 'end';
  modal?: boolean;
  /** The menu's items, rendered when it opens. */
  children: (landmark: HTMLElement | null) => ReactNode;
}

/** A menu that is mounted when its button is hovered or focused, because a list has one in every row. */
function MenuFrame({
  trigger,
  side = 'bottom',
  align = side === 'right' ? 'start' : 'end',
  modal = false,
  children,
}: MenuFrameProps) {
  const [wanted, setWanted] = useState<{ isOpen: boolean; landmark: HTMLElement | null }>();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The button was remounted: restores its focus.
    if (wanted && !wanted.isOpen) button.current?.focus();
  }, [wanted]);
  const [isPressed, setPressed] = useState(false);
  const want = (event: SyntheticEvent<HTMLElement>, isOpen: boolean) => {
    const landmark = event.currentTarget.closest<HTMLElement>('header, nav, main');
    const next = { isOpen, landmark };
    setPressed(isOpen);
    // Pressing is a transition, so that the button responds at once; focus mounts the menu synchronously, because a key may follow.
    if (isOpen) startTransition(() => setWanted(next));
    else setWanted(next);
  };
  if (!wanted) {
    return (
      <Slot.Root
        aria-haspopup="menu"
        aria-expanded={isPressed}
        onFocus={(event) => want(event, false)}
        onPointerDown={(event) => {
          if (event.button !== 0 || event.ctrlKey) return;
          // The menu takes the focus, not the button.
          event.preventDefault();
          want(event, true);
        }}
      >
        {trigger}
      </Slot.Root>
    );
  }
  return (
    <DropdownMenu.Root modal={modal} defaultOpen={wanted.isOpen}>
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger}
      </DropdownMenu.Trigger>
      {/* The menu is portalled into the landmark of its button, where screen readers expect it. */}
      <DropdownMenu.Portal container={wanted.landmark}>
        <DropdownMenu.Content
          className={`${s.popover} ${s.menu}`}
          data-modal={modal || undefined}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={12}
        >
          <LazyContent>{() => children(wanted.landmark)}</LazyContent>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Renders the content only while the menu is open. */
const LazyContent = ({ children }: { children: () => ReactNode }) => children();

interface MenuProps {
  trigger: ReactNode;
  label?: ReactNode;
  items: MenuItem[] | (() => MenuItem[]);
  side?: 'bottom' | 'right';
  align?: 'start' | 'end';
}

export function Menu({ trigger, label, items, ...place }: MenuProps) {
  return (
    <MenuFrame trigger={trigger} {...place}>
      {(landmark) => (
        <>
          {label && <DropdownMenu.Label className={s.menuLabel}>{label}</DropdownMenu.Label>}
          <Items items={typeof items === 'function' ? items() : items} landmark={landmark} />
        </>
      )}
    </MenuFrame>
  );
}

interface ItemsProps {
  items: MenuItem[];
  landmark: HTMLElement | null;
}

function Items({ items, landmark }: ItemsProps) {
  return items.map((item) => <Item key={item.key} item={item} landmark={landmark} />);
}

function Item({ item, landmark }: { item: MenuItem; landmark: HTMLElement | null }) {
  const { label, icon, to, onSelect, danger, checked, items } = item;
  if (items) {
    return (
      <DropdownMenu.Sub>
        <DropdownMenu.SubTrigger className={s.menuItem}>
          {icon}
          {label}
          <CaretRight size={14} className={s.menuMore} aria-hidden="true" />
        </DropdownMenu.SubTrigger>
        <DropdownMenu.Portal container={landmark}>
          <DropdownMenu.SubContent className={`${s.popover} ${s.menu}`} collisionPadding={12}>
            <Items items={items} landmark={landmark} />
          </DropdownMenu.SubContent>
        </DropdownMenu.Portal>
      </DropdownMenu.Sub>
    );
  }
  if (checked !== undefined) {
    return (
      <DropdownMenu.CheckboxItem className={s.menuItem} checked={checked} {...(onSelect && { onSelect })}>
        <span className={s.menuMark}>
          <DropdownMenu.ItemIndicator asChild>
            <Check size={15} weight="bold" aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </span>
        {label}
      </DropdownMenu.CheckboxItem>
    );
  }
  return (
    <DropdownMenu.Item
      className={s.menuItem}
      data-danger={danger || undefined}
      {...(onSelect && { onSelect })}
      asChild={Boolean(to)}
    >
      {to ? (
        <Link to={to}>
          {icon}
          {label}
        </Link>
      ) : (
        <>
          {icon}
          {label}
        </>
      )}
    </DropdownMenu.Item>
  );
}

interface Choice<V extends string> {
  value: V;
  label: string;
  /** Language of the label, if it differs from the screen's. */
  lang?: string | undefined;
}

/** A menu of exclusive choices. */
export function ChoiceMenu<V extends string>({
  trigger,
  value,
  choices,
  onChoose,
}: {
  trigger: ReactNode;
  value: V;
  choices: Choice<V>[];
  onChoose: (value: V) => void;
}) {
  return (
    <MenuFrame trigger={trigger}>
      {() => (
        <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as V)}>
          {choices.map((choice) => (
            <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={s.menuItem} lang={choice.lang}>
              <span className={s.menuMark}>
                <DropdownMenu.ItemIndicator asChild>
                  <Check size={15} weight="bold" aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {choice.label}
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      )}
    </MenuFrame>
  );
}

/** A menu of checkboxes. */
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
    <MenuFrame trigger={trigger} modal>
      {() => (
        <>
          <DropdownMenu.Label className={s.menuLabel}>{label}</DropdownMenu.Label>
          {items.map((item) => (
            <DropdownMenu.CheckboxItem
              key={item.key}
              className={s.menuItem}
              checked={item.checked}
              onCheckedChange={item.onChange}
              onSelect={(event) => event.preventDefault()}
            >
              <span className={s.menuMark}>
                <DropdownMenu.ItemIndicator asChild>
                  <Check size={15} weight="bold" aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {item.label}
            </DropdownMenu.CheckboxItem>
          ))}
        </>
      )}
    </MenuFrame>
  );
}
