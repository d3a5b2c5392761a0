/** Programs that make and check a client. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Checks a client that is made of the description. @throws Error when it is not generated, not valid, or does not pay */
export type CheckClient = (description: string, facts: Record<string, string>) => Promise<void>;

/** Our part of each client, which is no part of the compiled code. */
export const SOURCES = path.resolve('test/clients');

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** @returns what the program printed. @throws Error with what it complained about */
export function run(command: string, args: string[], { cwd, env }: RunOptions = {}): string {
  const ended = spawnSync(command, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ended.status === 0) return ended.stdout;
  const said = `${ended.stdout ?? ''}${ended.stderr ?? ''}`.trim().slice(-3_000);
  throw new Error(`${[command, ...args].join(' ')} failed: ${ended.error?.message ?? said}`);
}

/** @throws Error that says what it is for */
export function need(command: string, args: string[], purpose: string): void {
  if (spawnSync(command, args).status !== 0)
    throw new Error(`There is no ${command} here, which is needed ${purpose}.`);
}
