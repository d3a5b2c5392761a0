/** Starts programs that parse untrusted files in a separate process, so that a malicious file affects nothing else. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

interface Limits {
  /** Limit of the program's V8 heap. */
  megabytes: number;
  /**
   * The complete environment of the new process. The environment of this process is not passed on, so that the process
   * that parses the file knows no secrets.
   */
  env?: Record<string, string>;
}

/**
 * Starts a program with pipes to its input and from its output. The caller must end it.
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

/**
 * Finds the compiled file. If this code runs from `dist/`, the file is below the same folder; if it runs from the
 * sources, the file is in the `dist/` of the last build.
 */
function compiled(file: string): string {
  const sibling = path.join(__dirname, file);
  return existsSync(sibling) ? sibling : path.join(__dirname, '../dist/gateways', file);
}
