/** Builds the package in client/: its types from the description of the API, then its code. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { run } from '../install.mjs';

/**
 * Builds what has changed. Without type checks, the code is compiled without its types, in a fraction of the time.
 * @returns whether everything compiled
 */
export async function buildClient(root, checksTypes) {
  const client = path.join(root, 'client');
  const packages = createRequire(path.join(client, 'package.json'));
  if (checksTypes) await generateTypes(root, client, packages);
  const mark = path.join(root, 'dist/client.digest');
  const digest = digestOf([path.join(client, 'tsconfig.json'), ...filesBelow(path.join(client, 'src'))]);
  const [built, builtWith] = readIfExists(mark).split(' ');
  if (built === digest && (builtWith === 'types' || !checksTypes) && existsSync(path.join(client, 'dist'))) return true;
  console.log('Compiling the client …');
  rmSync(mark, { force: true });
  if (checksTypes) rmSync(path.join(client, 'dist'), { recursive: true, force: true });
  const options = checksTypes ? [] : ['--noCheck', '--declaration', 'false'];
  if ((await run(process.execPath, [packages.resolve('typescript/bin/tsc'), '-p', client, ...options])) !== 0)
    return false;
  writeFileSync(mark, `${digest} ${checksTypes ? 'types' : 'code'}`);
  return true;
}

/** Writes the types of all operations and the error codes, if the description of the API has changed. */
async function generateTypes(root, client, packages) {
  const description = path.join(root, 'dist/openapi.json');
  const fresh = `${description}.new`;
  // With this environment alone, so that the result is the same on every machine.
  const env = { PATH: process.env.PATH };
  await must(process.execPath, [path.join(root, 'dist/bin/building/describeApi.js'), fresh], { env });
  const types = path.join(client, 'src/generated/api.ts');
  if (existsSync(types) && readIfExists(description) === readFileSync(fresh, 'utf8')) return;
  console.log('Generating the types of the client …');
  mkdirSync(path.dirname(types), { recursive: true });
  const generator = path.join(path.dirname(packages.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  await must(process.execPath, [generator, fresh, '--output', types], { stdio: ['ignore', 'ignore', 'inherit'] });
  const codes = JSON.parse(readFileSync(fresh, 'utf8'))['x-error-codes'];
  const union = codes.map((code) => `\n  | '${code}'`).join('');
  writeFileSync(
    path.join(client, 'src/generated/errorCodes.ts'),
    `/** Every error code of the API. */\nexport type ErrorCode =${union};\n`,
  );
  // Only now, so that an interrupted generation is repeated.
  renameSync(fresh, description);
}

async function must(command, args, options) {
  if ((await run(command, args, options)) !== 0) throw new Error(`${args.join(' ')} failed.`);
}

const readIfExists = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

function digestOf(files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}
