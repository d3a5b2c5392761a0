/**
 * The folder in which the tests' servers keep their files.
 * @jest-environment node
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { folderOfServers } from './support/environment/folderOfServers.js';

const memory = mkdtempSync(path.join(os.tmpdir(), 'memory-'));
afterAll(() => rmSync(memory, { recursive: true }));

test('they are in memory where there is room, else where temporary files are', () => {
  expect(path.dirname(folderOfServers(memory, 0))).toBe(memory);
  const others = [folderOfServers(memory, Number.POSITIVE_INFINITY), folderOfServers(path.join(memory, 'nowhere'), 0)];
  for (const folder of others) rmSync(folder, { recursive: true });
  expect(others.map((folder) => path.dirname(folder))).toEqual([os.tmpdir(), os.tmpdir()]);
});

test('what a Postgres has left there that was killed is removed, and nothing of one that runs', () => {
  const folders = [process.pid, 2 ** 30].map((pid) => {
    const folder = folderOfServers(memory, 0);
    mkdirSync(path.join(folder, 'postgres/data'), { recursive: true });
    writeFileSync(path.join(folder, 'postgres/data/postmaster.pid'), `${pid}\n/data\n`);
    return folder;
  });
  const starting = folderOfServers(memory, 0);
  expect([...folders, starting].map((folder) => existsSync(folder))).toEqual([true, false, true]);
});
