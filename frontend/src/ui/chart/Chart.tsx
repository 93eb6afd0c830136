// A bar chart with a table of the same values, for pointer, keyboard and screen readers.
import { lazy, type PointerEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '../Controls';
import { Skeleton } from '../Loading';
import s from './chart.module.css';
import type { Area, PlotProps, Series, Slot } from './parts';

interface ChartProps {
  title: string;
  /** Name of the slots, for example months. */
  axis: string;
  slots: readonly Slot[];
  /** At most two, stacked. */
  series: readonly Series[];
  /** Sum of all series per slot, if there are several. */
  sums?: { name: string; texts: readonly string[] };
  /** Formats a value of the scale. */
  scaleText: (value: number) => string;
  /** Fixed ticks; computed otherwise. */
  ticks?: readonly number[];
  /** Shows the values of a single series above its bars, if they fit. */
  showsValues?: boolean;
  height?: number;
}

/** Loaded on demand; if loading fails, the table is still available. */
const Plot = lazy(async () => {
  try {
    return { default: (await import('./Plot')).Plot };
  } catch {
    return { default: NoPlot };
  }
});

function NoPlot({ height }: PlotProps) {
  const { t } = useTranslation();
  return (
    <p className={s.failed} style={{ height }}>
      {t('chart.failed')}
    </p>
  );
}

type View = 'chart' | 'table';

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  PageUp: (index) => index - 10,
  PageDown: (index) => index + 10,
  Home: () => 0,
  End: (_, last) => last,
};

export function Chart({
  title,
  axis,
  slots,
  series,
  sums,
  scaleText,
  ticks,
  showsValues = false,
  height = 220,
}: ChartProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('chart');
  const [area, setArea] = useState<Area>({ left: 0, width: 0 });
  const [pointed, setPointed] = useState<number>();
  const last = slots.length - 1;
  // The data may have become shorter since the pointer moved.
  const at = pointed === undefined ? undefined : Math.min(pointed, last);
  const slot = at === undefined ? undefined : slots[at];
  const pitch = area.width / slots.length;

  const point = (event: PointerEvent<HTMLElement>) => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - area.left) / pitch);
    setPointed(index >= 0 && index <= last ? index : undefined);
  };
  const textsOf = (index: number) => [
    ...series.map((one) => ({ name: one.name, text: one.texts[index] ?? '' })),
    ...(sums ? [{ name: sums.name, text: sums.texts[index] ?? '' }] : []),
  ];
  const told = (index: number) =>
    t('labelled', {
      Label: slots[index]?.name ?? '',
      Value: textsOf(index)
        .map(({ name, text }) => (series.length > 1 ? `${name} ${text}` : text))
        .join(', '),
    });

  return (
    <div className={s.chart}>
      <div className={s.head}>
        <ul className={s.legend}>{series.length > 1 && series.map((one) => <li key={one.name}>{one.name}</li>)}</ul>
        <SegmentedControl
          label={t('chart.view', { Title: title })}
          value={view}
          onChange={(chosen: View) => setView(chosen)}
          segments={[
            { value: 'chart', label: t('chart.asChart') },
            { value: 'table', label: t('chart.asTable') },
          ]}
        />
      </div>
      {view === 'chart' && (
        <div
          className={s.plot}
          role="slider"
          tabIndex={0}
          aria-label={t('chart.explore', { Title: title })}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at ?? 0}
          aria-valuetext={told(at ?? 0)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
          onBlur={() => setPointed(undefined)}
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (event.key === 'Escape') setPointed(undefined);
            if (!step) return;
            event.preventDefault();
            setPointed(at === undefined && event.key !== 'End' ? 0 : Math.max(0, Math.min(last, step(at ?? 0, last))));
          }}
        >
          <Suspense fallback={<Skeleton height={height} />}>
            <Plot
              height={height}
              slots={slots}
              series={series}
              scaleText={scaleText}
              {...(ticks && { ticks })}
              showsValues={showsValues}
              onArea={setArea}
            />
          </Suspense>
          {slot && at !== undefined && area.width > 0 && (
            <>
              <div className={s.band} style={{ left: area.left + pitch * at, width: pitch }} />
              <div
                className={s.tip}
                data-side={at > last / 2 ? 'left' : 'right'}
                style={{ left: area.left + pitch * (at + 0.5) }}
                aria-hidden="true"
              >
                <strong>{slot.name}</strong>
                <dl>
                  {textsOf(at).map(({ name, text }, index) => (
                    <div key={name} data-series={series.length > 1 && index < series.length ? index : undefined}>
                      <dt>{name}</dt>
                      <dd>{text}</dd>
                    </div>
                  ))}
                </dl>
              </div>
            </>
          )}
        </div>
      )}
      <section
        className={view === 'table' ? s.table : 'visually-hidden'}
        aria-label={title}
        // Scrollable content must be focusable.
        tabIndex={view === 'table' ? 0 : undefined}
      >
        <table>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{axis}</th>
              {textsOf(0).map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {slots.map((one, index) => (
              <tr key={one.name}>
                <th scope="row">{one.name}</th>
                {textsOf(index).map(({ name, text }) => (
                  <td key={name}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
