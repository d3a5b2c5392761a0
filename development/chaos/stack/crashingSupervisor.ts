/** A supervisor whose parts can be killed without warning, and come back after an outage of random length. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program, Running } from '../../stack/program.js';
import { Supervisor } from '../../stack/supervisor.js';
import type { Dice } from '../dice.js';
import { type Part, type Plant, roleOf } from '../options.js';
import { childrenOf } from './childrenOf.js';
import type { Nodes } from './nodes.js';

const SHORTEST_OUTAGE_MS = 100;
const LONGEST_OUTAGE_MS = 2_500;
const LOOK_MS = 20;

export class CrashingSupervisor extends Supervisor {
  /** Processes that were found to be ready. */
  private readonly ready = new WeakSet<Running>();

  /**
   * @param plants faults that the worker starts with
   * @param nodes of Temporal, where it is a cluster
   */
  constructor(
    logs: string,
    dice: Dice,
    private readonly plants: readonly Plant[],
    private readonly nodes: Nodes | undefined,
    changed: () => void,
  ) {
    super(
      logs,
      () => undefined,
      changed,
      () => dice.between(SHORTEST_OUTAGE_MS, LONGEST_OUTAGE_MS),
    );
  }

  override async start(program: Program): Promise<void> {
    await super.start(roleOf(program.name) === 'worker' ? withPlants(program, this.plants) : program);
    this.ready.add(this.parts.get(program.name) as Running);
  }

  protected override async sayWhenReady(part: Running): Promise<boolean> {
    // On a busy machine it may take longer than a start may.
    let ready = false;
    while (!ready && part.isRunning()) ready = await super.sayWhenReady(part);
    if (ready) this.ready.add(part);
    return ready;
  }

  /** Kills a part and all that it started, at once. @returns its process id; null when it is down already */
  crash(name: Part): number | null {
    const part = this.partFor(name);
    if (!part?.isRunning()) return null;
    if (name === 'node') this.nodes?.replaceNext();
    // Stopped first, it can neither mourn its children nor start others.
    signalOne(part.pid, 'SIGSTOP');
    for (const pid of [...childrenOf(part.pid), part.pid]) signalOne(pid, 'SIGKILL');
    return part.pid;
  }

  private partFor(name: Part): Running | undefined {
    return this.parts.get(name === 'node' ? (this.nodes?.next ?? '') : name);
  }

  protected override successorOf(program: Program): Program {
    return this.nodes?.inPlaceOf(program) ?? program;
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

  /** Resolves when the part can be used; at once when it can be now. */
  async untilUp(name: Part, timeoutSeconds = 180): Promise<void> {
    const deadline = Date.now() + timeoutSeconds * 1000;
    while (!this.isUp(name)) {
      if (Date.now() > deadline) throw new Error(`${name} did not come back within ${timeoutSeconds} s.`);
      await sleep(LOOK_MS);
    }
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in between.
  }
}

/** Their modules are loaded before the program, and each replaces operations of it. */
function withPlants(program: Program, plants: readonly Plant[]): Program {
  const files = plants.flatMap((plant) => ['--require', path.join(__dirname, '..', 'plants', `${plant}.js`)]);
  return { ...program, args: [...files, ...program.args] };
}
