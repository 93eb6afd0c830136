// Worker that builds and converts endpoint lists: 100,000 lines would block the main thread.

import wasmAddress from '@postern/core/screens_bg.wasm?url';
import init, { buildList, CoreError, convertEndpoints } from '@postern/core/screens-web';
import { type BuiltList, built, type Converted, converted, type Task } from './endpointTasks';

interface Asked {
  id: number;
  task: Task;
}

/** Validation errors are posted as plain data, because Error objects lose their fields. */
type Outcome = { list: BuiltList } | { conversion: Converted } | { fields: CoreError['fields'] } | { failure: string };

function run(task: Task): Outcome {
  try {
    if ('build' in task) return { list: built(buildList(task.build)) };
    return { conversion: converted(convertEndpoints(task.text, task.into)) };
  } catch (error) {
    if (error instanceof CoreError && error.code === 'InvalidFields') return { fields: error.fields };
    return { failure: String(error) };
  }
}

self.addEventListener('message', async ({ data: { id, task } }: MessageEvent<Asked>) => {
  let outcome: Outcome;
  try {
    await init(wasmAddress);
    outcome = run(task);
  } catch (error) {
    outcome = { failure: String(error) };
  }
  const list = 'list' in outcome ? outcome.list : 'conversion' in outcome ? outcome.conversion.list : undefined;
  self.postMessage({ id, outcome }, { transfer: list ? [list.bytes.buffer, list.starts.buffer] : [] });
});
