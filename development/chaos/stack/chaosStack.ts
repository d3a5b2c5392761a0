/**
 * A separate platform for one run: free ports, a temporary folder, and real servers that persist what they acknowledge.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftBehind, forgetProcesses, rememberProcesses, remembersProcesses } from '../../stack/leftBehind.js';
import { isPortFree } from '../../stack/ports.js';
import { CLUSTER_PORTS, SPARE_HOST } from '../../stack/cluster/settings.js';
import { PORTS, readSettings, type StackSettings } from '../../stack/settings.js';
import { startStack, STOP_ORDER } from '../../stack/startStack.js';
import type { Dice } from '../dice.js';
import type { ChaosOptions } from '../options.js';
import { CrashingSupervisor } from './crashingSupervisor.js';
import { Nodes } from './nodes.js';

const FOLDER = 'membership-chaos-';
/**
 * Range from which a run takes its ports. It lies below the ephemeral ports (RFC 6056; on Linux they begin at 32768).
 */
const [MIN_PORT, MAX_PORT] = [15_000, 32_000];

/** The variables that the parts inherit. Others could point them to other servers. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'XDG_CACHE_HOME'];

/** Shorter timeouts than usual, because faults are frequent here. */
const CONFIGURATION = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  STRIPE_TIMEOUT_SECONDS: '3',
  PAY_WAIT_SECONDS: '3',
  RELAY_SWEEP_SECONDS: '1',
};

/** Maximum wait for an interrupted start. */
const START_TIMEOUT_MS = 5_000;

export class ChaosStack {
  private starting: Promise<void> = Promise.resolve();
  private ending: Promise<void> | null = null;

  private constructor(
    readonly settings: StackSettings,
    readonly supervisor: CrashingSupervisor,
    /** Whether the folder with databases and logs is kept. */
    private readonly keep: boolean,
  ) {}

  /** Creates the folder and ends leftovers of earlier runs; starts nothing yet. */
  static async prepare(
    { cluster, plants, keep }: ChaosOptions,
    dice: Dice,
    say: (line: string) => void,
  ): Promise<ChaosStack> {
    await endEarlierRuns(say);
    const folder = mkdtempSync(path.join(os.tmpdir(), FOLDER));
    // Postgres may have to run as another user, who must be able to enter this folder.
    chmodSync(folder, 0o755);
    const settings = withSpare(readSettings(await environmentIn(folder), { cluster }));
    const changed = () => rememberProcesses(folder, supervisor.pids());
    const outages = dice.for('outages');
    const planted = { names: plants, ownerUrl: settings.urls.owner as string };
    const nodes = cluster ? new Nodes(settings) : undefined;
    const supervisor: CrashingSupervisor = new CrashingSupervisor(settings.logs, outages, planted, nodes, changed);
    return new ChaosStack(settings, supervisor, keep);
  }

  get ownerUrl(): string {
    return this.settings.urls.owner as string;
  }

  /**
   * Starts every part and seeds the demo organizations. @throws Error with the end of the log of the part that did not
   * start
   */
  start(): Promise<void> {
    this.starting = startStack(this.settings, this.supervisor, () => undefined);
    return this.starting;
  }

  /** Ends everything and removes the folder, unless it is kept. A second call waits for the same end. */
  end(): Promise<void> {
    return (this.ending ??= this.endOnce());
  }

  private async endOnce(): Promise<void> {
    this.supervisor.kill();
    // Wait for an interrupted start: a database cluster that is just being created would continue to write into the
    // folder.
    await Promise.race([this.starting.catch(() => undefined), sleep(START_TIMEOUT_MS)]);
    await this.supervisor.stop(STOP_ORDER);
    const { dataDir } = this.settings;
    if (this.keep) forgetProcesses(dataDir);
    else rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Adds the address of the replacement node to the settings of all parts. */
const withSpare = (settings: StackSettings): StackSettings =>
  settings.cluster
    ? { ...settings, temporalAddress: `${settings.temporalAddress},${SPARE_HOST}:${settings.ports.temporal}` }
    : settings;

async function environmentIn(folder: string): Promise<NodeJS.ProcessEnv> {
  const inherited = INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const stablePorts = await findStablePorts();
  const named = [...Object.values(PORTS), CLUSTER_PORTS].map(({ variable }, n) => [variable, String(stablePorts[n])]);
  return { ...Object.fromEntries([...inherited, ...named]), ...CONFIGURATION, DATA_DIR: folder };
}

/** Number of ports of one run. */
const PORTS_PER_RUN = 40;
const BLOCKS = Math.floor((MAX_PORT - MIN_PORT) / PORTS_PER_RUN);

/**
 * Finds ports that stay free while their servers are down. Ephemeral ports are not suitable: a client that retries
 * there may connect to itself and so take the port. Each concurrent run uses its own block of ports.
 */
async function findStablePorts(): Promise<number[]> {
  // The cluster's ports come last and are consecutive.
  const count = Object.keys(PORTS).length + CLUSTER_PORTS.count;
  for (let block = process.pid % BLOCKS; ; block = (block + 1) % BLOCKS) {
    const ports = Array.from({ length: count }, (_, n) => MIN_PORT + block * PORTS_PER_RUN + n);
    const free = await Promise.all(ports.map((port) => isPortFree(port)));
    if (free.every(Boolean)) return ports;
  }
}

/** Cleans up after runs that were killed. Folders that a run kept on purpose have no process list and stay. */
async function endEarlierRuns(say: (line: string) => void): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(FOLDER))) {
    const folder = path.join(os.tmpdir(), name);
    if (!remembersProcesses(folder)) continue;
    try {
      await endLeftBehind(folder, say);
    } catch {
      // Another active run uses this folder, so leave it.
      continue;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
