/** A whole platform of its own for one run: free ports, a temporary folder, real servers that keep what they acknowledged. */
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
/** Below what systems give to outgoing connections (RFC 6056; Linux begins at 32768). */
const [LOWEST_PORT, HIGHEST_PORT] = [15_000, 32_000];

/** What the parts inherit; nothing else of the caller's environment may steer them to other servers. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'XDG_CACHE_HOME'];

/** Shorter waits than usual: what they wait for is broken often here. */
const CONFIGURATION = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  STRIPE_TIMEOUT_SECONDS: '3',
  PAY_WAIT_SECONDS: '3',
  RELAY_SWEEP_SECONDS: '1',
};

/** An interrupted start is not waited for any longer. */
const START_ENDS_MS = 5_000;

export class ChaosStack {
  private starting: Promise<void> = Promise.resolve();
  private ending: Promise<void> | null = null;

  private constructor(
    readonly settings: StackSettings,
    readonly supervisor: CrashingSupervisor,
    /** Whether the folder with databases and logs stays. */
    private readonly keep: boolean,
  ) {}

  /** Makes the folder and ends what earlier runs left behind; starts nothing yet. */
  static async prepare(
    { cluster, plants, keep }: ChaosOptions,
    dice: Dice,
    say: (line: string) => void,
  ): Promise<ChaosStack> {
    await endEarlierRuns(say);
    const folder = mkdtempSync(path.join(os.tmpdir(), FOLDER));
    // Postgres may have to run as another user, who must be able to enter.
    chmodSync(folder, 0o755);
    const settings = withSpare(readSettings(await environmentIn(folder), { cluster }));
    const changed = () => rememberProcesses(folder, supervisor.pids());
    const outages = dice.for('outages');
    const nodes = cluster ? new Nodes(settings) : undefined;
    const supervisor: CrashingSupervisor = new CrashingSupervisor(settings.logs, outages, plants, nodes, changed);
    return new ChaosStack(settings, supervisor, keep);
  }

  get ownerUrl(): string {
    return this.settings.urls.owner as string;
  }

  /** Starts every part and seeds the demo organizations. @throws Error with the end of the log of what did not start */
  start(): Promise<void> {
    this.starting = startStack(this.settings, this.supervisor, () => undefined);
    return this.starting;
  }

  /** Ends everything and removes the folder, unless it is to be kept. Called again, it waits for the same end. */
  end(): Promise<void> {
    return (this.ending ??= this.endOnce());
  }

  private async endOnce(): Promise<void> {
    this.supervisor.kill();
    // A cluster that is just being created would go on writing.
    await Promise.race([this.starting.catch(() => undefined), sleep(START_ENDS_MS)]);
    await this.supervisor.stop(STOP_ORDER);
    const { dataDir } = this.settings;
    if (this.keep) forgetProcesses(dataDir);
    else rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** All know beforehand where a node may come that replaces another. */
const withSpare = (settings: StackSettings): StackSettings =>
  settings.cluster
    ? { ...settings, temporalAddress: `${settings.temporalAddress},${SPARE_HOST}:${settings.ports.temporal}` }
    : settings;

async function environmentIn(folder: string): Promise<NodeJS.ProcessEnv> {
  const inherited = INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const ports = await lastingPorts();
  const named = [...Object.values(PORTS), CLUSTER_PORTS].map(({ variable }, n) => [variable, String(ports[n])]);
  return { ...Object.fromEntries([...inherited, ...named]), ...CONFIGURATION, DATA_DIR: folder };
}

/** Ports of one run. */
const BLOCK = 40;
const BLOCKS = Math.floor((HIGHEST_PORT - LOWEST_PORT) / BLOCK);

/**
 * Ports that stay free while their servers are down. Those that the system gives to outgoing connections do not: somebody
 * who tries a dead server again and again is at last connected with himself, and has its port. Runs beside one another
 * begin in blocks of their own.
 */
async function lastingPorts(): Promise<number[]> {
  // Those of a cluster come last, in a row.
  const count = Object.keys(PORTS).length + CLUSTER_PORTS.count;
  for (let block = process.pid % BLOCKS; ; block = (block + 1) % BLOCKS) {
    const ports = Array.from({ length: count }, (_, n) => LOWEST_PORT + block * BLOCK + n);
    const free = await Promise.all(ports.map((port) => isPortFree(port)));
    if (free.every(Boolean)) return ports;
  }
}

/** A run that was killed itself could not clean up. One that was to keep its folder has forgotten its processes. */
async function endEarlierRuns(say: (line: string) => void): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(FOLDER))) {
    const folder = path.join(os.tmpdir(), name);
    if (!remembersProcesses(folder)) continue;
    try {
      await endLeftBehind(folder, say);
    } catch {
      // Another run is at work there.
      continue;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
