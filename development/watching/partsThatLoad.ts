/** Finds the running programs that load a file, according to the imports in the built code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtName, DIST } from './compileChanged.js';

/** Programs of the stack that run our code. */
const PROGRAMS: Record<string, string> = {
  api: 'bin/api.js',
  worker: 'bin/worker.js',
  bounces: 'bin/bounces.js',
  gateway: 'development/gateway.js',
  mailbox: 'development/mailbox.js',
  push: 'development/push.js',
  storage: 'development/storage.js',
  scan: 'development/scan.js',
};

const LOADED = /\b(?:require|import)\("(\.{1,2}\/[^"]+\.js)"\)/g;

/**
 * Finds the running programs that must be restarted after a change.
 * @param sources paths relative to the root.
 * @returns the names of the parts, in start order
 */
export function partsThatLoad(sources: readonly string[]): string[] {
  const changed = new Set(sources.map(builtName));
  // Two kinds of files are loaded without an import: workflows, which the worker loads as a bundle, and the files in
  // `models/` that are not code, which API and worker read when they start.
  const isForAll = sources.some((source) => /^models\/.*(?<!\.ts)$/.test(source));
  const isBundled = sources.some((source) => source.startsWith('workflows/'));
  return Object.entries(PROGRAMS)
    .filter(([name, program]) => {
      if (name === 'worker' && isBundled) return true;
      if (isForAll && (name === 'api' || name === 'worker')) return true;
      return [...loadedBy(program)].some((file) => changed.has(file));
    })
    .map(([name]) => name);
}

/** Returns all files that a program loads, including itself. */
function loadedBy(program: string): Set<string> {
  const files = new Set([program]);
  for (const file of files)
    for (const [, name] of textOf(file).matchAll(LOADED)) files.add(path.join(path.dirname(file), name as string));
  return files;
}

function textOf(file: string): string {
  try {
    return readFileSync(path.join(DIST, file), 'utf8');
  } catch {
    return '';
  }
}
