/** Where a test stands says what it may start (docs/developing/testing.md). */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FAST, SLOW, TIERS, testMatch, tierOf } from './support/environment/tiers.cjs';

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));

test('a test of the fast tier that starts a process is told where it belongs', () => {
  expect(() => spawn('true')).toThrow('what needs one belongs in test/scenarios');
  expect(() => execFileSync('true')).toThrow('Tests of the fast tier start no process');
});

test('one that goes without the environment, where nobody tells, starts none either', () => {
  const unwatched = files
    .filter((file) => tierOf(file) === FAST)
    .map((file) => ({ file, text: readFileSync(path.join(__dirname, file), 'utf8') }))
    .filter(({ text }) => /^ \* @jest-environment node$/m.test(text));
  expect(unwatched.filter(({ text }) => text.includes('child_process'))).toEqual([]);
});

test('a tier is the folders that it names, and the fast one the rest', () => {
  expect(TIERS).toEqual(['fast', 'scenarios', 'release']);
  const folders = Object.values(SLOW).flat();
  expect(folders.filter((folder) => !existsSync(path.join(__dirname, folder)))).toEqual([]);
  expect(testMatch(FAST).slice(1)).toEqual(folders.map((folder) => `!**/test/${folder}/**`));
  expect(['api/http/serving.test.ts', 'scenarios/outbox.test.ts', 'large/chaos.test.ts'].map(tierOf)).toEqual(TIERS);
});
