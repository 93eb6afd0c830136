// What a chart is made of.

export interface Slot {
  /** Below its bar, where there is room. */
  label: string;
  /** In the table and beside the pointer. */
  name: string;
  /** Begins something, such as a day: its label comes first where there is no room for all. */
  isMark?: boolean;
}

export interface Series {
  name: string;
  /** A value for each slot. */
  values: readonly number[];
  /** The same as text. */
  texts: readonly string[];
}

/** Where the bars are, in pixels from the left. */
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
