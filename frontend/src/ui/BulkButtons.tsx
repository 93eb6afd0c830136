// Actions on a selection: as many buttons as fit on one line, and a menu with the others.
import { CaretDown } from '@phosphor-icons/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from './Button';
import s from './data-grid.module.css';
import { Menu, type MenuItem } from './Overlay';

interface BulkButtonsProps {
  /** Accessible name of the menu. */
  label: string;
  items: MenuItem[];
}

/** Fewer buttons beside the menu would only be in its way. */
const FEWEST = 2;

const contentOf = (item: MenuItem) => (
  <>
    {item.label}
    {item.items && <CaretDown size={12} aria-hidden="true" />}
  </>
);

/** How many children of the line fit into this width; unless all do, its last child, the menu, is one of them. */
function fitting(line: HTMLElement, width: number): number {
  const children = [...line.children] as HTMLElement[];
  const menu = children.pop();
  const ends = children.map((child) => child.offsetLeft + child.offsetWidth);
  if ((ends.at(-1) ?? 0) <= width) return children.length;
  const menuWidth = line.offsetWidth - (ends.at(-1) ?? 0);
  const count = menu ? ends.filter((end) => end + menuWidth <= width).length : 0;
  return count < FEWEST ? 0 : count;
}

export function BulkButtons({ label, items }: BulkButtonsProps) {
  const room = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(items.length);
  useLayoutEffect(() => {
    const measure = () => line.current && room.current && setCount(fitting(line.current, room.current.clientWidth));
    const resized = new ResizeObserver(measure);
    for (const { current } of [room, line]) if (current) resized.observe(current);
    measure();
    return () => resized.disconnect();
  }, []);
  return (
    <div className={s.bulk} ref={room}>
      {items.slice(0, count).map((item) => {
        const button = (
          <Button key={item.key} size="small" icon={item.icon} {...(item.onSelect && { onClick: item.onSelect })}>
            {contentOf(item)}
          </Button>
        );
        return item.items ? <Menu key={item.key} trigger={button} items={item.items} /> : button;
      })}
      {count < items.length && (
        <Menu
          trigger={
            <Button size="small" variant={count === 0 ? 'primary' : 'secondary'}>
              {label}
            </Button>
          }
          items={items.slice(count)}
        />
      )}
      <div className={s.bulkLine} ref={line} inert aria-hidden="true">
        {items.map((item) => (
          <Button key={item.key} size="small" icon={item.icon}>
            {contentOf(item)}
          </Button>
        ))}
        <Button size="small">{label}</Button>
      </div>
    </div>
  );
}
