// HTTP client: sends one call to the server and handles its response by core's rules. No other module uses HTTP.
import i18next from 'i18next';
import { loadCore, type Reaction, shownTimeZone } from '@/core';
import { ACCEPT_LANGUAGE, API_BASE } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { showToast, toastError } from '@/ui/toast';
import { connectionFailed, connectionWorks } from './connection';
import type { components, paths } from './schema.gen';

export type Schemas = components['schemas'];

type Method = 'post' | 'get';
type CallOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? (P extends `/api/${infer C}` ? C : never) : never;
}[keyof paths];
type OperationOf<C extends string, M extends Method> = `/api/${C}` extends keyof paths
  ? paths[`/api/${C}`] extends { [K in M]: infer O }
    ? O
    : never
  : never;
type AnswerOf<O> = O extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;
/** `Data` of a successful response; an error response is thrown as CallError. */
type DataOf<O> = Extract<AnswerOf<O>, { Code: 1000 }> extends { Data: infer D } ? D : never;
type ParametersOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B & Ranged : undefined;

/** A call that takes a body, what it takes, and what it answers. */
export type Call = CallOf<'post'> & string;
export type BodyOf<C extends Call> = ParametersOf<OperationOf<C, 'post'>>;
export type DataOfCall<C extends Call> = DataOf<OperationOf<C, 'post'>>;

/** Lists accept a range of days or times, which core converts to `StartTime` and `EndTime` in UTC. */
interface Ranged {
  StartAndEndTime?: [string, string];
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Shows no error toast: the caller shows the message itself. */
  silent?: boolean;
  /** Repeated calls with the same key and parameters take effect once. */
  idempotencyKey?: string;
  /** The token of another session than the stored one. */
  token?: string;
}

/** A failed call. `code` is undefined if there was no response. */
export class CallError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    readonly data: Record<string, unknown>,
    /** The caller aborted the call: nothing is shown. */
    readonly isIgnored = false,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'CallError';
  }
}

interface Session {
  token: () => string | undefined;
  end: () => void;
}

let session: Session = { token: () => undefined, end: () => {} };

/** Called by the user store: provides the token, and ends the session when it has expired. */
export function bindSession(bound: Session): void {
  session = bound;
}

let confirm: () => Promise<boolean> = async () => false;

/** Called by the app: prompts for a two-factor code; resolves to whether the server accepted one. */
export function bindConfirmation(ask: () => Promise<boolean>): void {
  confirm = ask;
}

/** 32 hexadecimal digits, for an idempotency key or a request id. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function post<C extends Call>(
  call: C,
  parameters?: BodyOf<C>,
  options: CallOptions = {},
): Promise<DataOfCall<C>> {
  return send('POST', call, parameters ?? {}, options) as Promise<DataOfCall<C>>;
}

export function get<C extends CallOf<'get'> & string>(
  call: C,
  options: CallOptions = {},
): Promise<DataOf<OperationOf<C, 'get'>>> {
  return send('GET', call, undefined, options) as Promise<DataOf<OperationOf<C, 'get'>>>;
}

/** Key of code 3333: the call needs a two-factor code first. */
const NEEDS_CONFIRMATION = 'twoFactorConfirm';
/** Keys of code 3333: an operator views the shop as a customer, and may not change this, or nothing more. They belong to no form, so a toast says it. */
const OF_VIEWS: readonly unknown[] = ['viewOnly', 'viewChangesUsed'];
/** Whether a change is refused for being made in a view. */
export const isOfView = (key: unknown) => OF_VIEWS.includes(key);

const keyOf = ({ Data }: Answer) => (Data as { Key?: unknown } | undefined | null)?.Key;

interface Answer {
  Code?: number;
  Message?: string;
  Data?: unknown;
}

/** Downloads a file, named by the server. */
export async function download<C extends Call>(
  call: C,
  parameters?: BodyOf<C>,
  options: CallOptions = {},
): Promise<File> {
  return (await send('POST', call, parameters ?? {}, options)) as File;
}

/** Uploads a file as the form field `file`. */
export async function upload(call: CallOf<'post'>, file: File, options: CallOptions = {}): Promise<unknown> {
  const form = new FormData();
  form.set('file', file);
  return send('POST', call, form, options);
}

/** Fetches a picture. */
export async function getPicture(call: CallOf<'get'>, options: CallOptions = {}): Promise<Blob> {
  return (await send('GET', call, undefined, options)) as Blob;
}

async function send(method: 'POST' | 'GET', call: string, parameters: unknown, options: CallOptions): Promise<unknown> {
  const core = await loadCore();
  const zone = shownTimeZone();
  const token = options.token ?? session.token();
  let status = 0;
  let answer: Answer = {};
  let failure: unknown;
  const sentAt = performance.now();
  try {
    const response = await fetch(`${API_BASE}/${call}`, {
      method,
      headers: {
        ...headersOf(token, options),
        // FormData sets its own content type.
        ...(method === 'POST' && !(parameters instanceof FormData) && { 'Content-Type': 'application/json' }),
      },
      body: bodyOf(method, parameters, (text) => core.scrubParams(text, zone)),
      signal: options.signal ?? null,
    });
    status = response.status;
    connectionWorks(sentAt);
    const fileName = response.headers.get('Content-Disposition')?.match(/filename="?([^";]+)/)?.[1];
    if (response.ok && response.headers.get('Content-Type')?.startsWith('image/')) return await response.blob();
    if (response.ok && fileName) return new File([await response.blob()], fileName);
    answer = readAnswer(core.localizeResponse(await response.arrayBuffer(), zone));
  } catch (error) {
    failure = error;
    if (status === 0 && error instanceof TypeError) connectionFailed();
  }
  if (keyOf(answer) === NEEDS_CONFIRMATION && session.token() === token) {
    if (await confirm()) return send(method, call, parameters, options);
    throw new CallError(answer.Code, '', {}, true);
  }
  return handleAnswer(token, status, answer, failure, options);
}

/** Returns the response's data; a refusal is reported and thrown. */
async function handleAnswer(
  token: string | undefined,
  status: number,
  answer: Answer,
  failure: unknown,
  options: CallOptions,
): Promise<unknown> {
  const core = await loadCore();
  // The user has signed out or in again since: the response must not end the current session.
  if (token !== undefined && (options.token ?? session.token()) !== token) {
    throw new CallError(answer.Code, '', {}, true, failure);
  }
  const judge = (SuppressToast: boolean) =>
    core.judgeAnswer({
      Cancelled: options.signal?.aborted ?? false,
      // A rule's refusal of the request is not a network error.
      NetworkFailed: failure !== undefined && !(failure instanceof core.CoreError),
      HttpStatus: status,
      Code: answer.Code,
      Message: answer.Message,
      SuppressToast,
    });
  const reaction = judge(options.silent ?? false);
  if (reaction.IsSuccess) return answer.Data;
  const text = textOf(reaction);
  if (text) toastError(text);
  else if (isOfView(keyOf(answer)) && answer.Message && !options.silent) showToast(answer.Message, 'info');
  if (reaction.GoToLogin && !options.token) session.end();
  throw new CallError(
    answer.Code,
    // A silent caller may show this message.
    answer.Message || textOf(judge(false)) || '',
    (answer.Data ?? {}) as Record<string, unknown>,
    reaction.IsIgnored,
    failure,
  );
}

function bodyOf(method: 'POST' | 'GET', sent: unknown, scrub: (text: string) => string): FormData | string | null {
  if (method === 'GET') return null;
  return sent instanceof FormData ? sent : scrub(JSON.stringify(sent));
}

const headersOf = (token: string | undefined, options: CallOptions): Record<string, string> => ({
  'Accept-Language': ACCEPT_LANGUAGE[currentLanguage()],
  // Under it the server and its database log the request, and an internal error names it.
  'X-Request-Id': randomId(),
  ...(token && { Token: token }),
  ...(options.idempotencyKey && { 'Idempotency-Key': options.idempotencyKey }),
});

/** Uploads a file with progress from 0 to 1, which `fetch` cannot report. */
export async function uploadWithProgress<C extends Call>(
  call: C,
  file: File,
  options: CallOptions & { onProgress?: (part: number) => void } = {},
): Promise<DataOfCall<C>> {
  const core = await loadCore();
  const token = session.token();
  const form = new FormData();
  form.append('file', file, file.name);
  const request = new XMLHttpRequest();
  request.open('POST', `${API_BASE}/${call}`);
  request.responseType = 'arraybuffer';
  for (const [name, value] of Object.entries(headersOf(token, options))) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => total > 0 && options.onProgress?.(loaded / total);
  const failure = await new Promise<unknown>((resolve) => {
    request.onload = () => resolve(undefined);
    request.onerror = () => resolve(new TypeError('the file could not be sent'));
    request.onabort = () => resolve(new DOMException('given up', 'AbortError'));
    options.signal?.addEventListener('abort', () => request.abort());
    if (options.signal?.aborted) resolve(new DOMException('given up', 'AbortError'));
    else request.send(form);
  });
  const bytes = (request.response ?? new ArrayBuffer(0)) as ArrayBuffer;
  const answer = failure ? {} : readAnswer(core.localizeResponse(bytes, shownTimeZone()));
  const data = await handleAnswer(token, request.status, answer, failure, options);
  return data as DataOfCall<C>;
}

/** Reads a streamed response line by line, until it ends. */
export async function streamLines(
  call: 'Support/WaitForMessages' | 'Operator/WaitForConversations',
  onLine: (line: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, silent: true };
  const token = session.token();
  const response = await fetch(`${API_BASE}/${call}`, {
    method: 'POST',
    headers: { ...headersOf(token, options), 'Content-Type': 'application/json' },
    body: '{}',
    signal,
  });
  if (!response.body || response.headers.get('Content-Type') !== 'application/x-ndjson') {
    await handleAnswer(token, response.status, readAnswer(await response.text()), undefined, options);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (begun + value).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) onLine(JSON.parse(line));
  }
}

const textOf = ({ ToastMessage, ToastKey }: Reaction) =>
  ToastMessage ?? (ToastKey && i18next.t(`errors:${ToastKey}` as 'errors:unknownError'));

/** A proxy in between may respond with an HTML page instead of JSON. */
function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
