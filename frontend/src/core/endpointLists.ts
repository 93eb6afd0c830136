// Builds long endpoint lists in a worker, or on the main thread where workers are unavailable.
import type { ConvertInto, FieldErrors, ListRequest } from '@postern/core';
import { loadScreenRules } from '.';
import { type BuiltList, built, type Converted, converted, type Task } from './endpointTasks';

type Outcome = { list: BuiltList } | { conversion: Converted } | { fields: FieldErrors } | { failure: string };

/** Validation errors of the list settings, by field. */
export class ListError extends Error {
  constructor(readonly fields: FieldErrors) {
    super('the settings of the list break rules');
    this.name = 'ListError';
  }
}

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, { settle: (outcome: Outcome) => void; fail: (error: Error) => void }>();

function theWorker(): Worker | undefined {
  if (typeof Worker === 'undefined') return undefined;
  if (worker) return worker;
  worker = new Worker(new URL('./endpointWorker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; outcome: Outcome }>) => {
    waiting.get(data.id)?.settle(data.outcome);
    waiting.delete(data.id);
  });
  // A failed worker load can be retried.
  worker.addEventListener('error', () => {
    worker?.terminate();
    worker = undefined;
    for (const { fail } of waiting.values()) fail(new Error('the worker of endpoint lists failed'));
    waiting.clear();
  });
  return worker;
}

async function runHere(task: Task): Promise<Outcome> {
  const rules = await loadScreenRules();
  try {
    if ('build' in task) return { list: built(rules.buildList(task.build)) };
    return { conversion: converted(rules.convertEndpoints(task.text, task.into)) };
  } catch (error) {
    if (error instanceof rules.CoreError && error.code === 'InvalidFields') return { fields: error.fields };
    throw error;
  }
}

function run(task: Task): Promise<Outcome> {
  const beside = theWorker();
  if (!beside) return runHere(task);
  asked += 1;
  const id = asked;
  return new Promise<Outcome>((settle, fail) => {
    waiting.set(id, { settle, fail });
    beside.postMessage({ id, task });
  });
}

function check(outcome: Outcome): { list: BuiltList } | { conversion: Converted } {
  if ('fields' in outcome) throw new ListError(outcome.fields);
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome;
}

/** Throws `ListError`. */
export async function buildEndpointList(request: ListRequest): Promise<BuiltList> {
  const outcome = check(await run({ build: request }));
  if ('list' in outcome) return outcome.list;
  throw new Error('another answer than a list');
}

/** Parses a list pasted from another provider and converts it to our endpoints. Throws `ListError`. */
export async function convertEndpointList(text: string, into: ConvertInto): Promise<Converted> {
  const outcome = check(await run({ text, into }));
  if ('conversion' in outcome) return outcome.conversion;
  throw new Error('another answer than a conversion');
}
