// A group's colour.
import local from './groups.module.css';

export function ColourDot({ colour }: { colour: string }) {
  return <span className={local.dot} style={colour ? { color: colour } : undefined} aria-hidden="true" />;
}
