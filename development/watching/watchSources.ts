/** `npm run dev`: compiles changed files and restarts the parts that load them. */
import { spawn } from 'node:child_process';
import { existsSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { bundleWorkflows } from '../../bin/building/bundleWorkflows.js';
import { ownerCommand } from '../stack/parts.js';
import type { StackSettings } from '../stack/settings.js';
import type { Supervisor } from '../stack/supervisor.js';
import { compileChanged, DIST, ROOT } from './compileChanged.js';
import { partsThatLoad } from './partsThatLoad.js';

const FOLDERS = ['api', 'models', 'workflows', 'activities', 'services', 'gateways', 'bin', 'development'];
/** Debounce: several files that an editor saves at once are one change. */
const SETTLE_MS = 80;

type Say = (line: string) => void;

/** Compiles and restarts after each change of a source, until the process ends. */
export function watchSources(settings: StackSettings, supervisor: Supervisor, say: Say): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const note = (source: string) => {
    if (!isSource(source)) return;
    changed.add(source);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const sources = [...changed];
      changed.clear();
      // Apply changes one after another, because two changes may restart the same part.
      last = last.then(() => apply(sources, settings, supervisor, say)).catch((error: Error) => say(error.message));
    }, SETTLE_MS);
  };
  for (const folder of FOLDERS)
    watch(path.join(ROOT, folder), { recursive: true }, (_event, name) => name && note(path.join(folder, name)));
  watch(ROOT, (_event, name) => name === 'config.ts' && note(name));
  say('Watching the sources: changed parts are restarted.');
}

/** Reports whether a path is a source file. Other files, such as editors' temporary files, are ignored. */
const isSource = (source: string): boolean =>
  /\.(ts|sql|json|html|css|js)$/.test(source) && !(existsSync(path.join(ROOT, source)) && isFolder(source));
const isFolder = (source: string): boolean => statSync(path.join(ROOT, source)).isDirectory();

async function apply(sources: string[], settings: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  const started = performance.now();
  for (const source of sources) await compileChanged(source);
  if (sources.some((source) => source.startsWith('workflows/')))
    await bundleWorkflows(ROOT, path.join(DIST, 'workflow-bundle.js'));
  if (settings.urls.owner && sources.some((source) => source.startsWith('models/database/schema/')))
    await supervisor.run(ownerCommand(settings, 'bin/migrate', ['up']));
  const parts = partsThatLoad(sources);
  await Promise.all(parts.map((part) => supervisor.restart(part)));
  const what = sources.length > 3 ? `${sources.length} files` : sources.join(', ');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(
    parts.length > 0
      ? `${what}: ${parts.join(' and ')} restarted in ${seconds} s.`
      : `${what}: no running part uses it.`,
  );
  checkTypes();
}

let checking = false;
let checkAgain = false;

/** Type-checks after the restart without delaying it: it takes seconds, and type errors do not stop the parts. */
function checkTypes(): void {
  if (checking) {
    checkAgain = true;
    return;
  }
  checking = true;
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const own = ['--noEmit', '--incremental', '--tsBuildInfoFile', path.join(DIST, '.watched.tsbuildinfo')];
  spawn(process.execPath, [tsc, ...own], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).once('exit', () => {
    checking = false;
    if (checkAgain) checkTypes();
    checkAgain = false;
  });
}
