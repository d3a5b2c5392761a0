/** Programs that generate and check a client. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * Generates a client from the description and checks it. @throws Error when generation, type checks or the payment fail
 */
export type CheckClient = (description: string, facts: Record<string, string>) => Promise<void>;

/**
 * Folder of our source code that uses each generated client. It is not part of the compiled program, so it is read from
 * the repository.
 */
export const SOURCES = path.resolve('test/clients');

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/**
 * Runs a program and waits for its end.
 * @returns the program's standard output.
 * @throws Error with the program's output if it fails
 */
export function run(command: string, args: string[], { cwd, env }: RunOptions = {}): string {
  const ended = spawnSync(command, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ended.status === 0) return ended.stdout;
  const output = `${ended.stdout ?? ''}${ended.stderr ?? ''}`.trim().slice(-3_000);
  throw new Error(`${[command, ...args].join(' ')} failed: ${ended.error?.message ?? output}`);
}

/** Checks that a command exists. @throws Error that says what the command is needed for */
export function need(command: string, args: string[], purpose: string): void {
  if (spawnSync(command, args).status !== 0) throw new Error(`${command} is not installed; it is needed ${purpose}.`);
}
