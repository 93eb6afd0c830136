// Actions on a selection: buttons, or a menu on phones.
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { Button } from './Button';
import { Menu, type MenuItem } from './Overlay';
import { useMedia } from './useMedia';

interface BulkButtonsProps {
  /** Accessible name of the menu. */
  label: string;
  items: MenuItem[];
}

export function BulkButtons({ label, items }: BulkButtonsProps) {
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  if (isMobile) {
    return (
      <Menu
        trigger={
          <Button size="small" variant="primary">
            {label}
          </Button>
        }
        items={items}
      />
    );
  }
  return items.map((item) => (
    <Button key={item.key} size="small" icon={item.icon} onClick={item.onSelect}>
      {item.label}
    </Button>
  ));
}
