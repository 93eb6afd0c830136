// Above everything while an operator views the shop as a customer: who that is, until when, and the way back.
import { Eye } from '@phosphor-icons/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut, type View } from '@/stores/user';
import { Button } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import s from './app.module.css';

const HEIGHT = '--view-bar';

export function ViewBar({ view }: { view: View }) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  // What sticks to the top of the window sticks below it, however many lines it has.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty(HEIGHT, `${bar.current?.offsetHeight ?? 0}px`);
    measure();
    const resized = new ResizeObserver(measure);
    if (bar.current) resized.observe(bar.current);
    return () => {
      resized.disconnect();
      style.removeProperty(HEIGHT);
    };
  }, []);
  const leave = () => {
    setLeaving(true);
    signOut();
  };
  return (
    <div ref={bar} className={s.viewBar} role="status">
      <p>
        <Eye size={18} aria-hidden="true" />
        <span>
          {fillText((marks) => t('view.as', marks), {
            Email: <strong>{view.Email}</strong>,
            Time: <time dateTime={view.ExpiresAt.replace(' ', 'T')}>{view.ExpiresAt.slice(11, 16)}</time>,
          })}
        </span>
      </p>
      <Button size="small" loading={isLeaving} onClick={leave}>
        {t('view.end')}
      </Button>
    </div>
  );
}
