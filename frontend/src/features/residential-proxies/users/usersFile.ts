// Files of proxy users: how one that somebody has is read as text, and what is written into one.
import type { FieldErrors, ProxyUserFile } from '@/core';
import { saveFile } from '@/ui/saveFile';

/** The columns of a file, by their names in every language. */
export const FILE_HEADER = 'name,password,note,limit_gb,limit_cycle,expires_at,countries';

/** An empty file to begin with: its columns, and a line that shows what goes into them. */
const EXAMPLE = `${FILE_HEADER}
scraper_1,,prices,5,month,2030-01-31 23:59:59,US DE
`;

/** So that spreadsheets take it for UTF-8. */
const MARK = '\ufeff';

export const saveExample = () => saveFile(new File([MARK, EXAMPLE], 'proxy-users-example.csv', { type: 'text/csv' }));

/** A file as text. Spreadsheets in China save in GB 18030. */
export async function textOfFile(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** Names and passwords have neither commas nor quotation marks, and begin no formula: the rules of proxy users see to that. */
export function savePasswords(rows: { Name: string; Password: string }[]): void {
  const lines = ['name,password', ...rows.map(({ Name, Password }) => `${Name},${Password}`)];
  saveFile(new File([MARK, `${lines.join('\r\n')}\r\n`], 'proxy-users-passwords.csv', { type: 'text/csv' }));
}

export interface FileError {
  /** Of the file, from 1; 0 for what is wrong with the file as a whole. */
  line: number;
  field: string;
  broken: FieldErrors[string][number];
}

/** What is wrong with a file, in the order of its lines. */
export function fileErrors(fields: FieldErrors): FileError[] {
  const errors = Object.entries(fields).flatMap(([name, rules]) => {
    const [, line, field] = /^Lines\.(\d+)\.(\w+)$/.exec(name) ?? [];
    return rules.map((broken) => ({ line: Number(line ?? 0), field: field ?? name, broken }));
  });
  return errors.sort((one, other) => one.line - other.line);
}

/** Every line of a file that says something: its number, its name if it could be read, and what is wrong with it. */
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
