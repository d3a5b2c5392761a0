/** Keeps the parts running: starts them, restarts a part that dies, and stops all of them in order. */
import { type Ending, lastLines, launch, type Program, type Running, rotateLog, stop, untilReady } from './program.js';

const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

/**
 * Returns how long to wait before a restart, in milliseconds.
 * @param before the previous wait; 0 for the first restart, or if the part ran long enough to count as healthy
 */
type Backoff = (before: number) => number;
const doubling: Backoff = (before) => (before === 0 ? MIN_BACKOFF_MS : Math.min(before * 2, MAX_BACKOFF_MS));

/**
 * A part that ran at least this long counts as healthy. When it dies later, its first restart again waits the shortest
 * time.
 */
const HEALTHY_MS = 60_000;
const GRACE_SECONDS = 30;
/**
 * Grace period when a part is restarted with new code. It is short, because a developer waits; interrupted work is
 * resumed.
 */
const RESTART_GRACE_SECONDS = 0.3;

export class Supervisor {
  protected readonly parts = new Map<string, Running>();
  private stopping = false;
  /** Parts that are being restarted. The callback of each receives its new process. */
  private readonly restarts = new Map<string, (next: Running) => void>();
  /** For each part that died and waits to be restarted: a callback that ends the wait. */
  private readonly skipBackoff = new Map<string, () => void>();

  /** @param changed called after a part was started or replaced by a new process */
  constructor(
    private readonly logs: string,
    private readonly say: (line: string) => void,
    private readonly changed: () => void,
    private readonly pauseAfter: Backoff = doubling,
  ) {}

  /** Returns the process ids of the running parts. */
  pids(): Record<string, number> {
    const running = [...this.parts].filter(([, part]) => part.isRunning());
    return Object.fromEntries(running.map(([name, part]) => [name, part.pid]));
  }

  /** Starts a part, waits until it can be used, and keeps it running. @throws Error with the end of its log */
  async start(program: Program): Promise<void> {
    rotateLog(`${this.logs}/${program.name}.log`);
    const part = await this.launch(program);
    await untilReady(part);
    void this.keep(part);
  }

  /**
   * Ends a part and starts it again at once, with new code. @throws Error with the end of its log when it does not
   * start
   */
  async restart(name: string): Promise<void> {
    const part = this.parts.get(name);
    if (!part || this.stopping) return;
    const next = new Promise<Running>((resolve) => this.restarts.set(name, resolve));
    this.skipBackoff.get(name)?.();
    await stop(part, RESTART_GRACE_SECONDS);
    await untilReady(await next);
  }

  /** Runs a program until it ends. @throws Error with the end of its log when it fails */
  async run(program: Program): Promise<void> {
    rotateLog(`${this.logs}/${program.name}.log`);
    const part = await this.launch(program);
    const { code } = await part.ended;
    this.parts.delete(program.name);
    if (code !== 0 && !this.stopping)
      throw new Error(`${program.name} failed. The end of ${part.logFile}:\n${lastLines(part.logFile)}`);
  }

  /** Stops the parts one after another, in this order. Parts that are not in the list come first. */
  async stop(order: string[]): Promise<void> {
    this.stopping = true;
    const names = [...this.parts.keys()].sort((one, other) => order.indexOf(one) - order.indexOf(other));
    for (const name of names) await stop(this.parts.get(name) as Running, GRACE_SECONDS);
  }

  /** Kills all parts at once. */
  kill(): void {
    this.stopping = true;
    for (const part of this.parts.values()) if (part.isRunning()) part.signal('SIGKILL');
  }

  private async launch(program: Program): Promise<Running> {
    if (this.stopping) throw new Error('Stopping.');
    const part = await launch(program, this.logs);
    this.parts.set(program.name, part);
    // The whole platform may have begun to stop while this part was being launched.
    if (this.stopping) part.signal('SIGKILL');
    this.changed();
    return part;
  }

  private async keep(first: Running): Promise<void> {
    let part = first;
    let pause = 0;
    for (;;) {
      const started = Date.now();
      const ending = await part.ended;
      if (this.stopping) return;
      const { name } = part.program;
      if (this.restarts.has(name)) pause = 0;
      else {
        pause = this.pauseAfter(Date.now() - started > HEALTHY_MS ? 0 : pause);
        this.say(`${name} ended (${describeEnding(ending)}); restarting it in ${pause / 1000} s.`);
        if (pause > MIN_BACKOFF_MS) this.say(lastLines(part.logFile, 5));
        await this.rest(name, pause);
      }
      if (this.stopping) return;
      part = await this.launch(this.successorOf(part.program)).catch(() => part);
      const tell = this.restarts.get(name);
      this.restarts.delete(name);
      if (tell) tell(part);
      else void this.sayWhenReady(part);
    }
  }

  /** Returns the program that replaces a part that has ended. By default this is the part's own program. */
  protected successorOf(program: Program): Program {
    return program;
  }

  private rest(name: string, pause: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.skipBackoff.set(name, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  protected async sayWhenReady(part: Running): Promise<boolean> {
    const ready = await untilReady(part).then(
      () => true,
      () => false,
    );
    if (ready && !this.stopping) this.say(`${part.program.name} is running again (process ${part.pid}).`);
    return ready;
  }
}

const describeEnding = ({ code, signal }: Ending): string => (signal ? `by ${signal}` : `with code ${code}`);
