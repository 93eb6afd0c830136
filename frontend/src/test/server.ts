// A fake server for unit tests: responses by call, and the requests that were sent.
import { vi } from 'vitest';

export interface Sent {
  call: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

type Reply =
  | { Code?: number; Message?: string; Data?: unknown; status?: number }
  | { file: string; text: string }
  | 'network';

/** Answers each call with the given response, or with a function of the request. */
export function answerWith(replies: Record<string, Reply | ((sent: Sent) => Reply | Promise<Reply>)>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const one: Sent = {
      call: String(url).replace('/api/', ''),
      body: init.body ? JSON.parse(String(init.body)) : {},
      headers: init.headers as Record<string, string>,
    };
    sent.push(one);
    const given = replies[one.call];
    const reply = typeof given === 'function' ? await given(one) : given;
    if (reply === undefined || reply === 'network') throw new TypeError('Failed to fetch');
    if ('file' in reply) {
      return new Response(reply.text, { headers: { 'Content-Disposition': `attachment; filename="${reply.file}"` } });
    }
    const { status = 200, ...answer } = reply;
    return new Response(JSON.stringify({ Code: 1000, Message: '', Data: null, ...answer }), { status });
  });
  return sent;
}
