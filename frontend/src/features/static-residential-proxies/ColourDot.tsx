// A group's colour.
import room from './groups.module.css';

export function ColourDot({ colour }: { colour: string }) {
  return <span className={room.dot} style={colour ? { color: colour } : undefined} aria-hidden="true" />;
}
