/** Keeps the parts running: starts them, starts again what dies, and stops all of them in order. */
import { type Ending, lastLines, launch, type Program, type Running, rotateLog, stop, untilReady } from './program.js';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** How long a part that died stays down, in milliseconds. @param before its last pause, if it died soon after it; else 0 */
type Pause = (before: number) => number;
const doubling: Pause = (before) => (before === 0 ? FIRST_PAUSE_MS : Math.min(before * 2, LONGEST_PAUSE_MS));

/** A part that ran this long was fine; its next pause is the first one again. */
const HEALTHY_MS = 60_000;
const GRACE_SECONDS = 30;
/** Somebody waits for a part that is to run its new code; whatever it was doing is taken up again. */
const RESTART_GRACE_SECONDS = 0.3;

export class Supervisor {
  protected readonly parts = new Map<string, Running>();
  private stopping = false;
  /** Parts whose end is wanted, and who waits for their next process. */
  private readonly restarts = new Map<string, (next: Running) => void>();
  /** Ends the pause of a part that died. */
  private readonly hurry = new Map<string, () => void>();

  /** @param changed is called whenever a part got another process */
  constructor(
    private readonly logs: string,
    private readonly say: (line: string) => void,
    private readonly changed: () => void,
    private readonly pauseAfter: Pause = doubling,
  ) {}

  /** The process ids of the parts that run. */
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

  /** Ends a part and starts it again at once, to run new code. @throws Error with the end of its log when it does not start */
  async restart(name: string): Promise<void> {
    const part = this.parts.get(name);
    if (!part || this.stopping) return;
    const next = new Promise<Running>((resolve) => this.restarts.set(name, resolve));
    this.hurry.get(name)?.();
    await stop(part, RESTART_GRACE_SECONDS);
    await untilReady(await next);
  }

  /** Runs a program to its end. @throws Error with the end of its log unless it ended well */
  async run(program: Program): Promise<void> {
    rotateLog(`${this.logs}/${program.name}.log`);
    const part = await this.launch(program);
    const { code } = await part.ended;
    this.parts.delete(program.name);
    if (code !== 0 && !this.stopping)
      throw new Error(`${program.name} failed. The end of ${part.logFile}:\n${lastLines(part.logFile)}`);
  }

  /** Stops the parts one after another, in this order; those not named come first. */
  async stop(order: string[]): Promise<void> {
    this.stopping = true;
    const names = [...this.parts.keys()].sort((one, other) => order.indexOf(one) - order.indexOf(other));
    for (const name of names) await stop(this.parts.get(name) as Running, GRACE_SECONDS);
  }

  /** Ends everything at once. */
  kill(): void {
    this.stopping = true;
    for (const part of this.parts.values()) if (part.isRunning()) part.signal('SIGKILL');
  }

  private async launch(program: Program): Promise<Running> {
    if (this.stopping) throw new Error('Stopping.');
    const part = await launch(program, this.logs);
    this.parts.set(program.name, part);
    // It may have been launched while everything else was being stopped.
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
        this.say(`${name} ended (${described(ending)}); it is started again in ${pause / 1000} s.`);
        if (pause > FIRST_PAUSE_MS) this.say(lastLines(part.logFile, 5));
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

  /** What is started where a part has ended. */
  protected successorOf(program: Program): Program {
    return program;
  }

  private rest(name: string, pause: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.hurry.set(name, () => {
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
    if (ready && !this.stopping) this.say(`${part.program.name} runs again (process ${part.pid}).`);
    return ready;
  }
}

const described = ({ code, signal }: Ending): string => (signal ? `by ${signal}` : `with code ${code}`);
