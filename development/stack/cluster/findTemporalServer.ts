/** Finds Temporal's own server and its SQL schema tool: installed ones, else a build. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { goInstall, requireGo } from '../buildTemporal.js';
import { cacheFolder, fetchInto, foldersOnPath } from '../cache.js';

/** Same version as in docker-compose.yml. */
const VERSION = '1.29.1';
const UI_VERSION = '2.42.1';
const UI_CACHE = `temporal-ui-${UI_VERSION}`;
const CACHE = `temporal-server-${VERSION}`;
const TICK_SECONDS = 15;

type Say = (line: string) => void;

export interface TemporalServerPrograms {
  server: string;
  sqlTool: string;
}

/** File names in the official packages, and file names that `go install` gives. */
const NAMES = [
  ['temporal-server', 'temporal-sql-tool'],
  ['server', 'sql'],
] as const;

/**
 * Looks for the programs in the known folders, without building them.
 * @param server path of a configured server; the schema tool must be in the same folder
 */
export function installedTemporalServer(server?: string): TemporalServerPrograms | undefined {
  const own = cacheFolder(CACHE);
  const folders = server ? [path.dirname(server)] : [...foldersOnPath(), own];
  for (const folder of folders)
    for (const [serverName, toolName] of NAMES) {
      // On the PATH, ignore a program whose name is only `server`: it may be the server of any product.
      if (!server && folder !== own && serverName === 'server') continue;
      const programs = { server: server ?? path.join(folder, serverName), sqlTool: path.join(folder, toolName) };
      if (existsSync(programs.server) && existsSync(programs.sqlTool)) return programs;
    }
  return undefined;
}

/**
 * Finds the programs, or builds them into the per-user cache and reports each step with `say`. @throws Error that says
 * what to do
 */
export async function findTemporalServer(server: string | undefined, say: Say): Promise<TemporalServerPrograms> {
  const installed = installedTemporalServer(server);
  if (installed) return installed;
  if (server)
    throw new Error(`TEMPORAL_SERVER: ${server} does not exist, or there is no temporal-sql-tool in its folder.`);
  try {
    await build(say);
  } catch (error) {
    throw new Error(
      [
        "Temporal's server was not found, and building it failed:",
        `  - ${(error as Error).message}`,
        'Do one of these, then start again:',
        '  - put temporal-server and temporal-sql-tool on your PATH',
        '  - set TEMPORAL_SERVER to the server, with temporal-sql-tool in the same folder',
      ].join('\n'),
      { cause: error },
    );
  }
  return installedTemporalServer() as TemporalServerPrograms;
}

async function build(say: Say): Promise<void> {
  requireGo();
  const packages = ['cmd/server', 'cmd/tools/sql'].map((program) => `go.temporal.io/server/${program}@v${VERSION}`);
  const isThere = () => installedTemporalServer() !== undefined;
  await installOnce(`server ${VERSION}`, cacheFolder(CACHE), isThere, packages, say);
}

/** Builds into the per-user cache and prints the elapsed time. */
async function installOnce(what: string, cache: string, isThere: () => boolean, packages: string[], say: Say) {
  say(`Temporal cluster: building ${what} with 'go install'. Once only, some minutes …`);
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const ticker = setInterval(() => say(`Temporal cluster: still building (${elapsed()}) …`), TICK_SECONDS * 1000);
  try {
    await fetchInto(cache, isThere, async (temporaryFolder) => {
      await goInstall(temporaryFolder, packages);
      return temporaryFolder;
    });
  } finally {
    clearInterval(ticker);
  }
  say(`Temporal cluster: built in ${elapsed()}.`);
}

/** Returns an installed Temporal UI, if there is one. */
export function installedTemporalUi(): string | undefined {
  const onPath = foldersOnPath().map((folder) => path.join(folder, 'ui-server'));
  return [...onPath, path.join(cacheFolder(UI_CACHE), 'server')].find((file) => existsSync(file));
}

/**
 * Finds Temporal's web interface, or builds it. @returns undefined when that fails, after printing why: everything else
 * runs without it
 */
export async function findTemporalUi(say: Say): Promise<string | undefined> {
  const installed = installedTemporalUi();
  if (installed) return installed;
  try {
    requireGo();
    const source = `github.com/temporalio/ui-server/v2/cmd/server@v${UI_VERSION}`;
    await installOnce(
      `its UI ${UI_VERSION}`,
      cacheFolder(UI_CACHE),
      () => installedTemporalUi() !== undefined,
      [source],
      say,
    );
    return installedTemporalUi();
  } catch (error) {
    say(`Temporal cluster: no UI, because it cannot be built: ${(error as Error).message}`);
    return undefined;
  }
}
