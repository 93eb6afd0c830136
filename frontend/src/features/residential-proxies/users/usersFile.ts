// Reads and writes CSV files of proxy users.
import type { FieldErrors, ProxyUserFile } from '@/core';
import { saveFile } from '@/ui/saveFile';

/** Column names of the file, the same in every language. */
export const FILE_HEADER = 'name,password,note,limit_gb,limit_cycle,expires_at,countries,max_connections,max_megabits';

/** Sample file: column names and one line. */
const EXAMPLE = `${FILE_HEADER}
scraper_1,,prices,5,month,2030-01-31 23:59:59,US DE,50,100
`;

/** Byte order mark, so that spreadsheets detect UTF-8. */
const MARK = '\ufeff';

export const saveExample = () => saveFile(new File([MARK, EXAMPLE], 'proxy-users-example.csv', { type: 'text/csv' }));

/** Decodes a file. Excel's "Unicode text" is UTF-16 with a mark; Chinese spreadsheets save as GB 18030. */
export async function textOfFile(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** Names and passwords need no quoting and cannot start a formula: core's rules exclude such characters. */
export function savePasswords(rows: { Name: string; Password: string }[]): void {
  const lines = ['name,password', ...rows.map(({ Name, Password }) => `${Name},${Password}`)];
  saveFile(new File([MARK, `${lines.join('\r\n')}\r\n`], 'proxy-users-passwords.csv', { type: 'text/csv' }));
}

export interface FileError {
  /** Line number from 1; 0 for errors of the whole file. */
  line: number;
  field: string;
  broken: FieldErrors[string][number];
}

/** Errors of a file, by line. */
export function fileErrors(fields: FieldErrors): FileError[] {
  const errors = Object.entries(fields).flatMap(([name, rules]) => {
    const [, line, field] = /^Lines\.(\d+)\.(\w+)$/.exec(name) ?? [];
    return rules.map((broken) => ({ line: Number(line ?? 0), field: field ?? name, broken }));
  });
  return errors.sort((one, other) => one.line - other.line);
}

/** Every non-empty line: number, name if readable, and error. */
export function fileRows(file: ProxyUserFile, errors: FileError[]) {
  const rows = new Map(
    file.Lines.map(({ Line, Form }) => [Line, { line: Line, form: Form, errors: [] as FileError[] }]),
  );
  for (const error of errors) {
    if (error.line === 0) continue;
    const row = rows.get(error.line) ?? { line: error.line, form: {}, errors: [] as FileError[] };
    row.errors.push(error);
    rows.set(error.line, row);
  }
  return [...rows.values()].sort((one, other) => one.line - other.line);
}
