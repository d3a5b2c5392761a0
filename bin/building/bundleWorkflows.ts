/** Bundles the workflows once, so that neither workers nor tests spend seconds on it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Every file below a folder with one of these endings, sorted, so that a digest of them is stable. */
export function filesBelow(folder: string, endings: string[]): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.includes(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** A digest that changes when one of the files does. */
export function digestOf(files: string[]): string {
  const digest = createHash('sha256');
  for (const file of files) digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex').slice(0, 16);
}

/** The digest of everything that the bundle of this project is made from. */
export function workflowsDigest(root: string): string {
  return digestOf([...filesBelow(path.join(root, 'workflows'), ['.ts', '.js']), path.join(root, 'package-lock.json')]);
}

/** What runs around the workflows: always, and for workers that trace. */
const INTERCEPTORS = { plain: ['interceptors'], traced: ['tracing', 'interceptors'] };

/**
 * Writes the bundle of `<root>/workflows/index.ts`.
 * @returns false when the project has no workflows yet
 */
export async function bundleWorkflows(
  root: string,
  target: string,
  kind: keyof typeof INTERCEPTORS = 'plain',
): Promise<boolean> {
  const entry = path.join(root, 'workflows', 'index.ts');
  if (!existsSync(entry)) return false;
  // Loaded here: the bundler is heavy, and usually nothing has to be bundled.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath: entry,
    workflowInterceptorModules: INTERCEPTORS[kind].map((name) => path.join(root, 'workflows', `${name}.ts`)),
    webpackConfigHook: (config) => ({
      ...config,
      // Sources import './x.js' and mean './x.ts'.
      resolve: { ...config.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
    }),
  });
  mkdirSync(path.dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, target);
  return true;
}
