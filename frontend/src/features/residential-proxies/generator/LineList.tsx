// A virtualized list of lines.
import { type CSSProperties, type UIEvent, useEffect, useRef, useState } from 'react';
import { type BuiltList, lineCount, linesOf } from '@/core/endpointTasks';
import s from './generator.module.css';

/** Line height in pixels, as in the style sheet. */
const LINE_HEIGHT = 22;
/** Lines rendered above and below the visible ones, to avoid gaps while scrolling. */
const MARGIN = 12;
/** Maximum height of the box. */
const MOST_IN_SIGHT = 28;

export function LineList({ list, label, isStale }: { list: BuiltList; label: string; isStale?: boolean }) {
  const box = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const count = lineCount(list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list scrolls back to the top
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    setFirst(0);
  }, [count]);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    // In steps, so that not every scroll event re-renders.
    const line = Math.floor(event.currentTarget.scrollTop / LINE_HEIGHT);
    setFirst(Math.max(0, line - (line % 10)));
  };
  const from = Math.max(0, Math.min(first, count - 1) - MARGIN);
  const lines = linesOf(list, from, MOST_IN_SIGHT + 2 * MARGIN + 10);
  const digits = String(count).length;
  return (
    <section
      ref={box}
      className={s.lines}
      style={{ '--lines': count } as CSSProperties}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing content must be scrollable by keyboard
      tabIndex={0}
      aria-label={label}
      aria-busy={isStale}
      onScroll={onScroll}
    >
      <div style={{ height: count * LINE_HEIGHT }}>
        <ol style={{ transform: `translateY(${from * LINE_HEIGHT}px)` }} start={from + 1}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
            <li key={from + index}>
              <span aria-hidden="true" style={{ minWidth: `${digits}ch` }}>
                {from + index + 1}
              </span>
              <code>{line}</code>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
