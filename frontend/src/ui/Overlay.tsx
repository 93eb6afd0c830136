// Dialogs, drawers, popovers and menus, on Radix's accessible primitives. Not for the sign-in screen, which stays small.
import { Check, X } from '@phosphor-icons/react';
import { DropdownMenu, Dialog as RadixDialog, Popover as RadixPopover, Slot } from 'radix-ui';
import { type ReactNode, type SyntheticEvent, startTransition, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from './Button';
import s from './overlay.module.css';

// The list of a select closes by itself: the dialog around it would hear the same key, and close too.
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
  /** Has room for a table. */
  wide?: boolean;
}

// Who opened the dialog that is open. Another dialog may take its place, as when it has loaded.
let lastOpener: HTMLElement | null = null;

/** Whether a dialog keeps the focus to itself: nothing else may open over it by a shortcut. */
export const isModalOpen = () => document.querySelector('[data-modal]') !== null;

/**
 * Whoever closes a dialog is where they were before it opened: at its button, or at the button of the menu that led to it. Or where they
 * have gone to since: `landing` says so.
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
      // Another dialog has taken its place, or the chat has opened.
      if (document.activeElement?.closest('[role="dialog"]')) return;
      lastOpener = null;
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      (landing?.() ?? back)?.focus();
    },
  };
}

/** The title, and beside it the button that closes. */
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
            startAtField(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <Head title={title} onClose={onClose} />
          <div data-body>{children}</div>
          {actions && <div className={s.dialogActions}>{actions}</div>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The first field of a dialog comes first; without a field the dialog itself, not the button that closes it. */
function startAtField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>(
    '[data-body] :is(input:checked, input:not([type="radio"]), select, textarea):not(:disabled)',
  );
  event.preventDefault();
  (field ?? dialog).focus();
}

/** What stands beside the screen on a computer comes over it on a phone. */
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

/** All about one row of a list, beside the list; on a phone over it. */
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
  /** Where the focus goes when it closes, if not back to where it was. */
  landing?: () => HTMLElement | null;
}

/** A dialog of one field and what it finds: near the top, so that it stays where it is while its contents grow and shrink. */
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
          // While Chinese is typed, Escape gives up the syllables.
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
  /** Where something else closes it, too. */
  state?: { open: boolean; onOpenChange: (isOpen: boolean) => void };
}

export function Popover({ trigger, children, label, align = 'end', state }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  // The press is seen at once, and a form in the popover when it is made.
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
  /** Leads to a screen. */
  to?: string;
  onSelect?: () => void;
  /** Takes something away. */
  danger?: boolean;
}

interface MenuFrameProps {
  trigger: ReactNode;
  side?: 'bottom' | 'right';
  modal?: boolean;
  /** What is in the menu, asked for when it opens. */
  children: () => ReactNode;
}

/** A button with a menu, which is made when somebody turns to the button: a list has one in every row. */
function MenuFrame({ trigger, side = 'bottom', modal = false, children }: MenuFrameProps) {
  const [wanted, setWanted] = useState<{ isOpen: boolean; landmark: HTMLElement | null }>();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The button has become another one.
    if (wanted && !wanted.isOpen) button.current?.focus();
  }, [wanted]);
  const [isPressed, setPressed] = useState(false);
  const want = (event: SyntheticEvent<HTMLElement>, isOpen: boolean) => {
    const landmark = event.currentTarget.closest<HTMLElement>('header, nav, main');
    const next = { isOpen, landmark };
    setPressed(isOpen);
    // The press is seen at once, and the menu when it is made; keys, which may follow the focus at once, have it ready.
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
      {/* A menu belongs to the landmark of its button, in which screen readers find it. */}
      <DropdownMenu.Portal container={wanted.landmark}>
        <DropdownMenu.Content
          className={`${s.popover} ${s.menu}`}
          data-modal={modal || undefined}
          side={side}
          align={side === 'right' ? 'start' : 'end'}
          sideOffset={6}
          collisionPadding={12}
        >
          <LazyContent>{children}</LazyContent>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Makes the content only when it is rendered, which is when the menu opens. */
const LazyContent = ({ children }: { children: () => ReactNode }) => children();

interface MenuProps {
  trigger: ReactNode;
  label?: ReactNode;
  items: MenuItem[] | (() => MenuItem[]);
  side?: 'bottom' | 'right';
}

export function Menu({ trigger, label, items, side = 'bottom' }: MenuProps) {
  return (
    <MenuFrame trigger={trigger} side={side}>
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
  /** The language of the label, where it is not the screen's. */
  lang?: string | undefined;
}

/** A menu of choices of which one holds. */
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
