// Dialogs, drawers, popovers and menus, built on Radix. Not used on the sign-in screen, to keep its bundle small.
import { Check, X } from '@phosphor-icons/react';
import { DropdownMenu, Dialog as RadixDialog, Popover as RadixPopover, Slot } from 'radix-ui';
import { type ReactNode, type SyntheticEvent, startTransition, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from './Button';
import s from './overlay.module.css';
import { BOTTOM_BAR } from './useToastEdge';

// An open select handles Escape itself; without this check the dialog would close too.
if (globalThis.CSS?.supports?.('selector(select:open)')) {
  const isList = (event: KeyboardEvent) => event.key === 'Escape' && document.querySelector('select:open') !== null;
  window.addEventListener('keydown', (event) => isList(event) && event.stopPropagation(), { capture: true });
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Wider, for example for tables. */
  wide?: boolean;
}

// Element that opened the current dialog; kept when another dialog replaces it, for example after loading.
let lastOpener: HTMLElement | null = null;

/** Whether a modal dialog is open, over which shortcuts must not open another one. */
export const isModalOpen = () => document.querySelector('[data-modal]') !== null;

/**
 * Returns the focus on close: to the element that opened the dialog, to the button of the menu that led to it, or to `landing` if the
 * user has navigated meanwhile.
 */
function useFocusReturn(landing?: () => HTMLElement | null) {
  const opener = useRef<HTMLElement>(null);
  return {
    remember: () => {
      const focused = document.activeElement as HTMLElement | null;
      const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
      if (menuButton) lastOpener = document.getElementById(menuButton);
      else if (focused !== document.body) lastOpener = focused;
      opener.current = lastOpener;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // Another dialog or the chat has taken the focus.
      if (document.activeElement?.closest('[role="dialog"]')) return;
      lastOpener = null;
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      (landing?.() ?? back)?.focus();
    },
  };
}

/** The title and the close button. */
function Head({ title, onClose }: { title: ReactNode; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={s.dialogHead}>
      <RadixDialog.Title asChild>
        <h2>{title}</h2>
      </RadixDialog.Title>
      <IconButton size="small" label={t('close')} onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

export function Dialog({ open, onClose, title, children, actions, wide }: DialogProps) {
  const { remember, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.overlay} />
        <RadixDialog.Content
          className={s.dialog}
          data-modal
          data-wide={wide || undefined}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <Head title={title} onClose={onClose} />
          <div data-body>{children}</div>
          {actions && (
            <div className={s.dialogActions} {...BOTTOM_BAR}>
              {actions}
            </div>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
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
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
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
}

interface MenuFrameProps {
  trigger: ReactNode;
  side?: 'bottom' | 'right';
  /** The edge of the button that the menu starts or ends at. */
  align?: 'start' | 'end';
  modal?: boolean;
  /** The menu's items, rendered when it opens. */
  children: () => ReactNode;
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
          <LazyContent>{children}</LazyContent>
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
      {() => (
        <>
          {label && <DropdownMenu.Label className={s.menuLabel}>{label}</DropdownMenu.Label>}
          {(typeof items === 'function' ? items() : items).map(({ key, label: text, icon, to, onSelect, danger }) => (
            <DropdownMenu.Item
              key={key}
              className={s.menuItem}
              data-danger={danger || undefined}
              onSelect={onSelect}
              asChild={Boolean(to)}
            >
              {to ? (
                <Link to={to}>
                  {icon}
                  {text}
                </Link>
              ) : (
                <>
                  {icon}
                  {text}
                </>
              )}
            </DropdownMenu.Item>
          ))}
        </>
      )}
    </MenuFrame>
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
