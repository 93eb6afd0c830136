// The only place that knows HTTP: one call to the server, with the specification's rules around it.
import i18next from 'i18next';
import { loadCore, type Reaction, shownTimeZone } from '@/core';
import { ACCEPT_LANGUAGE, API_BASE } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { toastError } from '@/ui/toast';
import { forgetKey, rememberKey, withKey } from './pages';
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
/** What a successful answer has; a refusal is thrown. */
type DataOf<O> = Extract<AnswerOf<O>, { Code: 1000 }> extends { Data: infer D } ? D : never;
type ParametersOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B & Ranged : undefined;

/** Lists take a range of days or times, which the rules turn into `StartTime` and `EndTime` in UTC. */
interface Ranged {
  StartAndEndTime?: [string, string];
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Shows no toast about errors: the caller shows the error's message in its place. */
  silent?: boolean;
  /** The same key and parameters do something once, however often they are sent. */
  idempotencyKey?: string;
}

/** A call that did not succeed. `code` is absent where no answer came. */
export class CallError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    readonly data: Record<string, unknown>,
    /** The caller gave the call up itself: there is nothing to show. */
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

/** The store of the signed-in user says here how to get its token and what to do when the session has ended. */
export function bindSession(bound: Session): void {
  session = bound;
}

export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function post<C extends CallOf<'post'> & string>(
  call: C,
  parameters?: ParametersOf<OperationOf<C, 'post'>>,
  options: CallOptions = {},
): Promise<DataOf<OperationOf<C, 'post'>>> {
  return send('POST', call, parameters ?? {}, options) as Promise<DataOf<OperationOf<C, 'post'>>>;
}

export function get<C extends CallOf<'get'> & string>(
  call: C,
  options: CallOptions = {},
): Promise<DataOf<OperationOf<C, 'get'>>> {
  return send('GET', call, undefined, options) as Promise<DataOf<OperationOf<C, 'get'>>>;
}

/** Of code 2001: among them a key of a page that is none any more. */
const INVALID_FIELDS = 2001;

interface Answer {
  Code?: number;
  Message?: string;
  Data?: unknown;
}

/** A file that a call answers with, by the name that the server gave it. */
export async function download(call: string, parameters: unknown, options: CallOptions = {}): Promise<File> {
  return (await send('POST', call, parameters, options)) as File;
}

async function send(method: 'POST' | 'GET', call: string, parameters: unknown, options: CallOptions): Promise<unknown> {
  const core = await loadCore();
  const zone = shownTimeZone();
  const token = session.token();
  const sent = withKey(token, call, parameters);
  let status = 0;
  let answer: Answer = {};
  let failure: unknown;
  try {
    const response = await fetch(`${API_BASE}/${call}`, {
      method,
      headers: {
        'Accept-Language': ACCEPT_LANGUAGE[currentLanguage()],
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        ...(token && { Token: token }),
        ...(options.idempotencyKey && { 'Idempotency-Key': options.idempotencyKey }),
      },
      body: method === 'POST' ? core.scrubParams(JSON.stringify(sent), zone) : null,
      signal: options.signal ?? null,
    });
    status = response.status;
    const fileName = response.headers.get('Content-Disposition')?.match(/filename="?([^";]+)/)?.[1];
    if (response.ok && fileName) return new File([await response.blob()], fileName);
    answer = readAnswer(core.localizeResponse(await response.arrayBuffer(), zone));
  } catch (error) {
    failure = error;
  }
  if (sent !== parameters && answer.Code === INVALID_FIELDS) {
    forgetKey(token, call, parameters);
    return send(method, call, parameters, options);
  }
  // Somebody has signed out or in again since: what was asked before is nobody's any more, and must not end the session of now.
  if (token !== undefined && session.token() !== token) {
    throw new CallError(answer.Code, '', {}, true, failure);
  }
  const judge = (SuppressToast: boolean) =>
    core.judgeAnswer({
      Cancelled: options.signal?.aborted ?? false,
      // A rule that refuses what is sent is no matter of the network.
      NetworkFailed: failure !== undefined && !(failure instanceof core.CoreError),
      HttpStatus: status,
      Code: answer.Code,
      Message: answer.Message,
      SuppressToast,
    });
  const reaction = judge(options.silent ?? false);
  if (reaction.IsSuccess) {
    rememberKey(token, call, parameters, answer.Data);
    return answer.Data;
  }
  const text = textOf(reaction);
  if (text) toastError(text);
  if (reaction.GoToLogin) session.end();
  throw new CallError(
    answer.Code,
    // Who shows no toast may show this.
    answer.Message || textOf(judge(false)) || '',
    (answer.Data ?? {}) as Record<string, unknown>,
    reaction.IsIgnored,
    failure,
  );
}

const textOf = ({ ToastMessage, ToastKey }: Reaction) =>
  ToastMessage ?? (ToastKey && i18next.t(`errors:${ToastKey}` as 'errors:unknownError'));

/** Something between us and the server may answer in its place, with a page instead of an answer. */
function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
