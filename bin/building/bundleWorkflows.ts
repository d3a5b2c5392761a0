/** Bundles the workflows once, so that workers and tests do not spend seconds on it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** All files below a folder with one of these endings, sorted, so that their digest is stable. */
export function filesBelow(folder: string, endings: string[]): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.includes(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Digest that changes when one of the files changes. */
export function digestOf(files: string[]): string {
  const digest = createHash('sha256');
  for (const file of files) digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex').slice(0, 16);
}

/** Digest of all inputs of this project's bundle. */
export function workflowsDigest(root: string): string {
  return digestOf([...filesBelow(path.join(root, 'workflows'), ['.ts', '.js']), path.join(root, 'package-lock.json')]);
}

/**
 * Modules with workflow interceptors, by kind of bundle: `plain` for workers without tracing, `traced` for workers with
 * tracing.
 */
const INTERCEPTORS = { plain: ['interceptors'], traced: ['tracing', 'interceptors'] };

/** Writes the bundle of `<root>/workflows/index.ts`. */
export async function bundleWorkflows(
  root: string,
  target: string,
  kind: keyof typeof INTERCEPTORS = 'plain',
): Promise<boolean> {
  const entry = path.join(root, 'workflows', 'index.ts');
  if (!existsSync(entry)) return false;
  // Loaded on demand: the bundler is large, and usually the bundle is up to date.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath: entry,
    workflowInterceptorModules: INTERCEPTORS[kind].map((name) => path.join(root, 'workflows', `${name}.ts`)),
    webpackConfigHook: (config) => ({
      ...config,
      // Imports in the source name './x.js' where the file is './x.ts'.
      resolve: { ...config.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
    }),
  });
  mkdirSync(path.dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, target);
  return true;
}
