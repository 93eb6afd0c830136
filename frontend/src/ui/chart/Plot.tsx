// Draws a chart's bars and scales on a canvas with uPlot. The only module that imports it.
import { useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { labelled } from './labelled';
import type { PlotProps, Series, Slot } from './parts';
import { scaleOf } from './scale';

/** Colour tokens of the series, the bottom one first. */
const COLOURS = ['--chart-1', '--chart-2'];
const BAR_SHARE = 0.72;
const WIDEST_BAR = 44;
const LABEL_PIXELS = 72;
const TICK_PIXELS = 44;
const LABEL_HEIGHT = 28;
const LABEL_GAP = 8;
/** Padding around a value above its bar. */
const VALUE_GAP = 4;

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Data for uPlot: stacked bars are drawn from the back, each as high as the sum up to it. */
function columns(slots: readonly Slot[], series: readonly Series[]): uPlot.AlignedData {
  const sums = slots.map(() => 0);
  const stacked = series.map(({ values }) =>
    slots.map((_, index) => {
      sums[index] = (sums[index] ?? 0) + (values[index] ?? 0);
      return sums[index] ?? 0;
    }),
  );
  return [slots.map((_, index) => index), ...stacked.reverse()];
}

/** Ticks of the scale, unless the chart sets them. */
const ticksOf = ({ ticks, height }: PlotProps, highest: number) =>
  ticks ?? scaleOf(highest, Math.floor((height - LABEL_HEIGHT) / TICK_PIXELS));

const font = (pixels = 12) => `${pixels}px ${token('--font')}`;

/** Writes labels below the bars, kept inside the plot, and values above them if all fit. */
function write(plot: uPlot, { slots, series, showsValues }: PlotProps): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const width = (text: string) => ctx.measureText(text).width;
  ctx.save();
  ctx.font = font(12 * ratio);
  ctx.fillStyle = token('--soft');
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  const widestLabel = Math.max(0, ...slots.map(({ label }) => width(label))) / ratio;
  let end = 0;
  for (const index of labelled(slots, bbox.width / ratio, Math.max(LABEL_PIXELS, widestLabel + LABEL_GAP))) {
    const label = slots[index]?.label ?? '';
    const half = width(label) / 2;
    const x = Math.min(bbox.left + bbox.width - half, Math.max(bbox.left + half, plot.valToPos(index, 'x', true)));
    // One that was moved inside the plot may reach the next.
    if (x - half < end) continue;
    end = x + half + LABEL_GAP * ratio;
    ctx.fillText(label, x, bbox.top + bbox.height + LABEL_GAP * ratio);
  }
  const [only, ...others] = series;
  if (showsValues && only && others.length === 0) {
    const widest = Math.max(...only.texts.map(width)) + 2 * VALUE_GAP * ratio;
    ctx.textBaseline = 'bottom';
    for (const [index, value] of widest <= bbox.width / slots.length ? only.values.entries() : []) {
      const [x, y] = [plot.valToPos(index, 'x', true), plot.valToPos(value, 'y', true)];
      if (value > 0) ctx.fillText(only.texts[index] ?? '', x, y - VALUE_GAP * ratio);
    }
  }
  ctx.restore();
}

function options(now: () => PlotProps, width: number): uPlot.Options {
  const grid = { stroke: () => token('--line'), width: 1 };
  const bars = uPlot.paths.bars?.({ size: [BAR_SHARE, WIDEST_BAR], radius: 0.08 });
  const { series, height, showsValues } = now();
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [showsValues ? 22 : 12, 8, 0, 0],
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(0.5, now().slots.length - 0.5)] },
      // A scale for an empty chart.
      y: { range: (_, __, max) => [0, Math.max(ticksOf(now(), max).at(-1) ?? 0, max) || 1] },
    },
    axes: [
      {
        // uPlot's own labels would overflow at the edges, so they are drawn by `write`.
        size: LABEL_HEIGHT,
        grid: { show: false },
        ticks: { show: false },
        values: (_, splits) => splits.map(() => ''),
      },
      {
        font: font(),
        stroke: () => token('--soft'),
        grid,
        ticks: { show: false },
        size: (plot, values) => {
          plot.ctx.font = font();
          const widths = (values ?? []).map((text) => plot.ctx.measureText(text).width);
          return Math.ceil(Math.max(24, ...widths)) + 14;
        },
        splits: (_, __, ___, highest) => [...ticksOf(now(), highest)],
        values: (_, splits) => splits.map((value) => now().scaleText(value)),
      },
    ],
    series: [
      {},
      ...series.map((_, index) => ({
        points: { show: false },
        fill: () => token(COLOURS[series.length - 1 - index] ?? '--chart-1'),
        width: 0,
        ...(bars && { paths: bars }),
      })),
    ],
    hooks: {
      draw: [
        (plot) => write(plot, now()),
        (plot) => now().onArea({ left: plot.bbox.left / devicePixelRatio, width: plot.bbox.width / devicePixelRatio }),
      ],
    },
  };
}

export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const seriesCount = props.series.length;
  const { slots, series, height } = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a different number of series needs a new plot; everything else is updated in place
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const width = () => Math.max(120, element.clientWidth);
    const drawn = new uPlot(
      options(() => latest.current, width()),
      columns(latest.current.slots, latest.current.series),
      element,
    );
    plot.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize({ width: width(), height: latest.current.height }));
    resized.observe(element);
    // Colours are read while drawing, those of bars while their paths are built.
    // Redraws after the frame in which the theme has changed.
    const themed = new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => drawn.redraw())));
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      themed.disconnect();
      resized.disconnect();
      drawn.destroy();
      plot.current = undefined;
    };
  }, [seriesCount]);

  useEffect(() => {
    plot.current?.setData(columns(slots, series));
  }, [slots, series]);

  return <div ref={place} style={{ height }} aria-hidden="true" />;
}
