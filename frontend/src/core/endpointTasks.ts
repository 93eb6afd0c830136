// Endpoint lists as UTF-8 bytes with line offsets: cheap to transfer from a worker, and read line by line for display.
import type { Conversion, ConvertInto, FieldErrors, ListRequest } from '@postern/core';

export type Task = { build: ListRequest } | { text: string; into: ConvertInto };

export interface BuiltList {
  /** The text in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Offset of each line, plus the end of the text. */
  starts: Uint32Array<ArrayBuffer>;
}

export interface Converted {
  list: BuiltList;
  /** Number of lines read. */
  read: number;
  /** The first lines with remarks: conversions and errors. */
  remarks: { line: number; dialect?: string | undefined; broken: FieldErrors[string][number]; isLost: boolean }[];
  /** Number of lines that could not be read. */
  lost: number;
}

/** Maximum number of remarks shown. */
const MOST_REMARKS = 200;

const NEW_LINE = 10;

export function built(text: string): BuiltList {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === 0) return { bytes, starts: new Uint32Array(1) };
  let lines = 1;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) lines += 1;
  const starts = new Uint32Array(lines + 1);
  let line = 0;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) {
    line += 1;
    starts[line] = at + 1;
  }
  starts[lines] = bytes.length + 1;
  return { bytes, starts };
}

export function converted({ Lines, Text }: Conversion): Converted {
  const remarks: Converted['remarks'] = [];
  let lost = 0;
  let read = 0;
  for (const { Line: line, Dialect: dialect, Notes, Broken } of Lines) {
    if (Broken) lost += 1;
    else read += 1;
    for (const broken of Broken ? [Broken] : Notes) {
      if (remarks.length < MOST_REMARKS) remarks.push({ line, dialect, broken, isLost: Boolean(Broken) });
    }
  }
  return { list: built(Text), read, remarks, lost };
}

export const lineCount = (list: BuiltList) => list.starts.length - 1;

const decoder = new TextDecoder();

/** The lines from `first` on. */
export function linesOf({ bytes, starts }: BuiltList, first: number, count: number): string[] {
  const last = Math.min(first + count, starts.length - 1);
  return Array.from({ length: Math.max(0, last - first) }, (_, index) =>
    decoder.decode(bytes.subarray(starts[first + index], (starts[first + index + 1] ?? 1) - 1)),
  );
}

export const textOf = ({ bytes }: BuiltList) => decoder.decode(bytes);
