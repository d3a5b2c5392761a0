/**
 * Compiles to dist/, copies other files, removes output without a source, compiles mail templates, bundles the
 * workflows, and builds the client and the console. The option `--no-check` skips the type check, which is three quarters of the
 * compiler's work, and the types of the client.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildClient } from './building/buildClient.mjs';
import { buildConsole } from './building/buildConsole.mjs';
import { compileMails } from './building/compileMails.mjs';
import { ensureInstalled, ROOT, run } from './install.mjs';
import { withLock } from './lock.mjs';

const DIST = path.join(ROOT, 'dist');
const CHECKS_TYPES = !process.argv.includes('--no-check');
const CHECKED_STAMP = path.join(DIST, '.built');
const UNCHECKED_STAMP = path.join(DIST, '.built-unchecked');
/** Written by the build. */
const GENERATED = path.join(ROOT, 'client/src/generated');
const FOLDERS = ['api', 'models', 'workflows', 'activities', 'services', 'gateways', 'bin', 'development', 'test'];
const COMPILED = /\.(js|js\.map|d\.ts)$/;

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Runs the compiler. @returns whether there were no errors; code is written either way */
async function compile() {
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  return (await run(process.execPath, CHECKS_TYPES ? [tsc] : [tsc, '--noCheck'])) === 0;
}

/** Removes output whose source was deleted: a deleted migration must not run. */
function prune() {
  for (const folder of FOLDERS)
    for (const file of filesBelow(path.join(DIST, folder))) {
      const source = path.join(ROOT, path.relative(DIST, file));
      const typescript = source.replace(COMPILED, '.ts');
      if (!existsSync(source) && !existsSync(typescript)) rmSync(file);
    }
}

/** Copies SQL, templates and other files that the code reads from its own folder. */
function copyOthers() {
  for (const folder of FOLDERS.filter((name) => name !== 'test'))
    for (const file of filesBelow(path.join(ROOT, folder))) {
      if (/\.([cm]?ts|[cm]js)$/.test(file)) continue;
      const target = path.join(DIST, path.relative(ROOT, file));
      if (existsSync(target) && statSync(target).mtimeMs >= statSync(file).mtimeMs) continue;
      cpSync(file, target, { recursive: true });
    }
}

async function bundle() {
  const { bundleWorkflows, workflowsDigest } = await import(
    pathToFileURL(path.join(DIST, 'bin/building/bundleWorkflows.js')).href
  );
  const target = path.join(DIST, 'workflow-bundle.js');
  const mark = `${target}.digest`;
  const digest = workflowsDigest(ROOT);
  const traced = path.join(DIST, 'workflow-bundle.traced.js');
  if ([target, traced, mark].every(existsSync) && readFileSync(mark, 'utf8') === digest) return;
  console.log('Bundling the workflows …');
  if (!(await bundleWorkflows(ROOT, target))) throw new Error('There is no workflows/index.ts.');
  await bundleWorkflows(ROOT, traced, 'traced');
  writeFileSync(mark, digest);
}

/** Builds what is out of date. @returns whether everything compiled */
async function build() {
  mkdirSync(DIST, { recursive: true });
  return withLock(path.join(DIST, '.build-lock'), async () => {
    const compiled = await compile();
    prune();
    copyOthers();
    await compileMails(ROOT, path.join(DIST, 'mail-templates.js'));
    await bundle();
    const isClientBuilt = compiled && (await buildClient(ROOT, CHECKS_TYPES));
    if (isClientBuilt) await buildConsole(ROOT, path.join(ROOT, 'client/dist'), path.join(DIST, 'console'));
    return isClientBuilt;
  });
}

/** Whether no source file or folder changed since the last complete build. */
function isUpToDate() {
  const stamps = CHECKS_TYPES ? [CHECKED_STAMP] : [CHECKED_STAMP, UNCHECKED_STAMP];
  const built = Math.max(...stamps.filter(existsSync).map((stamp) => statSync(stamp).mtimeMs));
  const files = [
    'config.ts',
    'tsconfig.json',
    'package-lock.json',
    'client/tsconfig.json',
    'console/index.html',
    'console/vite.config.ts',
  ].map((name) => path.join(ROOT, name));
  // A folder's modification time changes when a file in it is added or removed.
  const sources = [...FOLDERS, 'client/src', 'console/src'].map((name) => path.join(ROOT, name)).filter(existsSync);
  const below = sources.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)),
  );
  return [...files, ...sources, ...below]
    .filter((entry) => !entry.startsWith(GENERATED))
    .every((entry) => statSync(entry).mtimeMs < built);
}

await ensureInstalled();
if (isUpToDate()) process.exit(0);
const started = new Date();
if (!(await build())) {
  console.error('The sources do not compile; the errors are above.');
  process.exit(1);
}
const stamp = CHECKS_TYPES ? CHECKED_STAMP : UNCHECKED_STAMP;
writeFileSync(stamp, '');
// The stamp gets the time at which the build started, so that files which changed during the build are built next time.
utimesSync(stamp, started, started);
process.exit(0);
