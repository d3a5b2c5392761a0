/** A supervisor whose parts can be killed without warning and are restarted after a random outage. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program, Running } from '../../stack/program.js';
import { Supervisor } from '../../stack/supervisor.js';
import type { Dice } from '../dice.js';
import { type Part, type Plant, roleOf } from '../options.js';
import { childrenOf } from './childrenOf.js';
import type { Nodes } from './nodes.js';

const MIN_OUTAGE_MS = 100;
const MAX_OUTAGE_MS = 2_500;
const POLL_MS = 20;

export class CrashingSupervisor extends Supervisor {
  /** Processes that have become ready. */
  private readonly ready = new WeakSet<Running>();

  /**
   * @param plants bugs to put into the worker, and the owner role's database URL, which some of them need
   * @param nodes Temporal's nodes; undefined without a cluster
   */
  constructor(
    logs: string,
    dice: Dice,
    private readonly plants: { names: readonly Plant[]; ownerUrl: string },
    private readonly nodes: Nodes | undefined,
    changed: () => void,
  ) {
    super(
      logs,
      () => undefined,
      changed,
      () => dice.between(MIN_OUTAGE_MS, MAX_OUTAGE_MS),
    );
  }

  override async start(program: Program): Promise<void> {
    await super.start(roleOf(program.name) === 'worker' ? withPlants(program, this.plants) : program);
    this.ready.add(this.parts.get(program.name) as Running);
  }

  protected override async sayWhenReady(part: Running): Promise<boolean> {
    // On a busy machine a restart may take longer than the timeout of a start, so wait as long as the process runs.
    let ready = false;
    while (!ready && part.isRunning()) ready = await super.sayWhenReady(part);
    if (ready) this.ready.add(part);
    return ready;
  }

  /** Kills a part and its child processes at once. @returns its process id; null when it is down already */
  crash(name: Part): number | null {
    const part = this.partFor(name);
    if (!part?.isRunning()) return null;
    if (name === 'node') this.nodes?.replaceNext();
    // Stop the part first, so that it can neither react to dying children nor start new ones.
    signalOne(part.pid, 'SIGSTOP');
    for (const pid of [...childrenOf(part.pid), part.pid]) signalOne(pid, 'SIGKILL');
    return part.pid;
  }

  private partFor(name: Part): Running | undefined {
    return this.parts.get(name === 'node' ? (this.nodes?.next ?? '') : name);
  }

  protected override successorOf(program: Program): Program {
    return this.nodes?.replacementFor(program) ?? program;
  }

  override kill(): void {
    const children = Object.values(this.pids()).flatMap(childrenOf);
    super.kill();
    for (const pid of children) signalOne(pid, 'SIGKILL');
  }

  isUp(name: Part): boolean {
    const part = this.partFor(name);
    return part !== undefined && part.isRunning() && this.ready.has(part);
  }

  /** Resolves when the part can be used; immediately if it already can. */
  async untilUp(name: Part, timeoutSeconds = 180): Promise<void> {
    const deadline = Date.now() + timeoutSeconds * 1000;
    while (!this.isUp(name)) {
      if (Date.now() > deadline) throw new Error(`${name} did not come back within ${timeoutSeconds} s.`);
      await sleep(POLL_MS);
    }
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended in the meantime.
  }
}

/** Preloads the modules of the faults, which replace operations of the program. */
function withPlants(program: Program, { names, ownerUrl }: { names: readonly Plant[]; ownerUrl: string }): Program {
  if (names.length === 0) return program;
  const files = names.flatMap((plant) => ['--require', path.join(__dirname, '..', 'plants', `${plant}.js`)]);
  const env = { ...program.env, DATABASE_OWNER_URL: ownerUrl };
  return { ...program, env, args: [...files, ...program.args] };
}
