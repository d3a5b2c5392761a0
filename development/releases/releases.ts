/** The descriptions of released APIs, one file for each release, and what the changelog says of releases. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ApiDescription, Break } from './apiFacts.js';

/** From the root of the repository, where commands and tests run. */
const FOLDER = 'docs/api/releases';
const ENDING = '.json.gz';

export interface Release {
  version: string;
  description: ApiDescription;
}

/** Writes the description of a release. @returns the file */
export function writeRelease(version: string, description: Buffer): string {
  const file = path.join(FOLDER, version + ENDING);
  if (existsSync(file)) throw new Error(`${file} exists. A released description does not change.`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, gzipSync(description, { level: 9 }));
  return file;
}

/** Reads the description of the last release; null before the first. */
export function readLastRelease(): Release | null {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const versions = names.flatMap((name) => (name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : []));
  const version = versions.sort(compareVersions).at(-1);
  if (version === undefined) return null;
  const text = gunzipSync(readFileSync(path.join(FOLDER, version + ENDING))).toString();
  return { version, description: JSON.parse(text) as ApiDescription };
}

const numbersOf = (version: string): number[] => version.split('.').map(Number);

function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, n) => number !== b[n]);
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
}

/** Reports whether a version is a higher major version than another. */
export const isHigherMajor = (version: string, than: string): boolean =>
  (numbersOf(version)[0] as number) > (numbersOf(than)[0] as number);

/** Returns the versions with a dated heading, such as `## [1.0.0] - 2027-01-31`, the newest first. */
export const releasedVersions = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version]) => version as string);

/**
 * Finds the operations that a release breaks and that the changelog does not announce. A notice is an item of the list
 * that begins with its date and names the operation, above the section of the last release:
 * ``- 2027-01-31: `GET /api/old/` went; use `GET /api/new/`.``
 */
export function findUnannounced(breaks: readonly Break[], changelog: string, lastVersion: string): string[] {
  const [unreleased = ''] = changelog.split(`\n## [${lastVersion}]`);
  const items = unreleased.replaceAll(/\n {2,}/g, ' ').split('\n');
  const notices = items.filter((item) => /^- \d{4}-\d{2}-\d{2}: /.test(item));
  const operations = [...new Set(breaks.map(({ operation }) => operation))];
  return operations.filter((operation) => !notices.some((notice) => notice.includes(`\`${operation}\``)));
}
