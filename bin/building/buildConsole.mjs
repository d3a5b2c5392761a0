/** Builds the web console, and compresses its assets once, so that the API sends them without work. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/**
 * Runs Vite if a source of the console, the client or a package has changed since the last build.
 * @param client folder of the built client, which the console contains
 * @param target folder that receives `index.html` and `assets/`
 */
export async function buildConsole(root, client, target) {
  const source = path.join(root, 'console');
  const mark = `${target}.digest`;
  const digest = digestOf([
    path.join(root, 'package-lock.json'),
    ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) => path.join(source, name)),
    ...filesBelow(path.join(source, 'src')),
    // Types of the client do not change what is built. A build without types leaves out the generated ones.
    ...filesBelow(client).filter((file) => file.endsWith('.js') && !file.includes(`${path.sep}generated${path.sep}`)),
  ]);
  if (existsSync(target) && existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  console.log('Building the console …');
  // Loaded on demand: usually the console is built already.
  const { build } = await import(createRequire(path.join(source, 'package.json')).resolve('vite'));
  const fresh = `${target}.new`;
  await build({
    root: source,
    configFile: path.join(source, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh, emptyOutDir: true },
  });
  await compressFiles(path.join(fresh, 'assets'));
  // A running API serves the old files until all new ones are there.
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  writeFileSync(mark, digest);
}

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

async function compressFiles(folder) {
  await Promise.all(
    filesBelow(folder).map(async (file) => {
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, await brotli(content));
      writeFileSync(`${file}.gz`, await gzip(content, { level: 9 }));
    }),
  );
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
