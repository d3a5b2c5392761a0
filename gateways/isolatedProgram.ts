/** Programs that read files of strangers, each in a process of its own: a file made to break its reader breaks nothing else. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

interface Limits {
  /** Of the heap of V8. */
  megabytes: number;
  /** Its whole environment: it has none of ours, because no secret may be where such files are parsed. */
  env?: Record<string, string>;
}

/**
 * Starts a program with pipes to its input and from its output. The caller ends it.
 * @param file its compiled file, below `gateways/`
 */
export const startIsolated = (
  file: string,
  args: readonly string[],
  { megabytes, env = {} }: Limits,
): ChildProcessByStdio<Writable, Readable, null> =>
  spawn(process.execPath, [`--max-old-space-size=${megabytes}`, compiled(file), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });

/** This file runs from `dist/`, or from the sources after a build. */
function compiled(file: string): string {
  const beside = path.join(__dirname, file);
  return existsSync(beside) ? beside : path.join(__dirname, '../dist/gateways', file);
}
