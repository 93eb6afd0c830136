// Attachments being uploaded: each starts when it is chosen, and can be retried or removed.
import { useRef, useState } from 'react';
import { CallError, randomId, uploadWithProgress } from '@/api/client';
import { type FieldErrors, screenRules } from '@/core';
import { ATTACHMENTS_PER_MESSAGE } from '@/core/constants.gen';
import type { Attachment } from './useConversation';

export interface Upload {
  key: string;
  file: File;
  /** From 0 to 1. */
  part: number;
  attachment?: Attachment;
  /** Error of the `File` field, or a text for any other error. */
  broken?: FieldErrors;
  failed?: string;
}

export function useUploads() {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const givingUp = useRef(new Map<string, AbortController>());

  const change = (key: string, changes: Partial<Upload>) =>
    setUploads((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)));

  const send = async (one: Upload) => {
    const abort = new AbortController();
    givingUp.current.set(one.key, abort);
    try {
      const attachment = await uploadWithProgress('Support/UploadAttachment', one.file, {
        // The key prevents duplicates when an upload is retried after a lost response.
        idempotencyKey: one.key,
        silent: true,
        signal: abort.signal,
        onProgress: (part) => change(one.key, { part }),
      });
      change(one.key, { attachment, part: 1 });
    } catch (error) {
      if (abort.signal.aborted || !(error instanceof CallError)) return;
      const broken = error.data.Fields as FieldErrors | undefined;
      change(one.key, broken ? { broken } : { failed: error.message });
    } finally {
      givingUp.current.delete(one.key);
    }
  };

  const add = (files: Iterable<File>) => {
    const room = Math.max(0, ATTACHMENTS_PER_MESSAGE - uploads.length);
    const chosen = [...files];
    for (const file of chosen.slice(0, room)) {
      const broken = screenRules().validateAttachment(file.name, file.size);
      const one: Upload = { key: randomId(), file, part: 0 };
      const isWrong = Object.keys(broken).length > 0;
      setUploads((now) => [...now, isWrong ? { ...one, broken } : one]);
      if (!isWrong) send(one);
    }
    /** Whether all files could be added. */
    return chosen.length <= room;
  };

  const retry = (one: Upload) => {
    const again: Upload = { key: one.key, file: one.file, part: 0 };
    setUploads((now) => now.map((other) => (other.key === one.key ? again : other)));
    send(again);
  };

  const remove = (key: string) => {
    givingUp.current.get(key)?.abort();
    setUploads((now) => now.filter((one) => one.key !== key));
  };

  return {
    uploads,
    add,
    retry,
    remove,
    /** Removes sent files; failed ones stay to be retried or removed. */
    clearReady: () => setUploads((now) => now.filter((one) => !one.attachment)),
    /** Number of uploads in progress. */
    busy: uploads.filter((one) => !one.attachment && !one.broken && one.failed === undefined).length,
    failed: uploads.filter((one) => one.broken || one.failed !== undefined).length,
    /** Uploads that can be sent with a message. */
    ready: uploads.flatMap(({ attachment }) => attachment ?? []),
  };
}

export type Uploads = ReturnType<typeof useUploads>;
