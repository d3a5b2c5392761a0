/**
 * `npm run test:node -- <version> [jest arguments]`: runs the tests on another Node, fetched once from the npm
 * registry.
 */
import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from './install.mjs';

const CACHE = path.join(
  process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'),
  'chapter-membership-platform',
);

/**
 * Fetches only Node's executable, from the npm package for this system and processor.
 * @returns the folder that contains it
 */
async function fetchNode(version) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = path.join(CACHE, `node-${version}`);
  const programs = path.join(folder, 'node_modules', name, 'bin');
  if (existsSync(programs)) return programs;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const code = await run('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], { cwd: folder });
  if (code !== 0) throw new Error(`There is no Node ${version} for ${system} on ${process.arch}.`);
  return programs;
}

const [version, ...others] = process.argv.slice(2);
if (!/^\d+(\.\d+)*$/.test(version ?? '')) {
  console.error('Name a version of Node, for example: npm run test:node -- 24');
  process.exit(1);
}
const programs = await fetchNode(version);
const env = { ...process.env, PATH: `${programs}${path.delimiter}${process.env['PATH'] ?? ''}` };
const tests = ['-r', path.join(ROOT, 'bin/requireNode.cjs'), path.join(ROOT, 'bin/test.mjs'), ...others];
await run(path.join(programs, 'node'), ['-p', "'Node ' + process.versions.node"], { env });
process.exitCode = await run(path.join(programs, 'node'), tests, { env });
