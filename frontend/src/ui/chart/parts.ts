// Types of chart data.

export interface Slot {
  /** Label below the bar, if it fits. */
  label: string;
  /** Label in the table and in the tooltip. */
  name: string;
  /** Start of a larger unit, such as a day: its label has priority. */
  isMark?: boolean;
}

export interface Series {
  name: string;
  /** One value per slot. */
  values: readonly number[];
  /** The same values as text. */
  texts: readonly string[];
}

/** Bar positions in pixels from the left. */
export interface Area {
  left: number;
  width: number;
}

export interface PlotProps {
  height: number;
  slots: readonly Slot[];
  series: readonly Series[];
  scaleText: (value: number) => string;
  ticks?: readonly number[];
  showsValues?: boolean;
  onArea: (area: Area) => void;
}
