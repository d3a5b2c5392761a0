/** The clients of one session share a lock and the outcome of the last refresh. */
import { delay } from './transport.js';

/** `renewed` and `restored` have new tokens; `restored` ones are the admin's own, after an impersonation. */
export type Outcome = 'renewed' | 'restored' | 'ended' | 'failed';

/** Ends of chained work by session, where Web Locks are missing: Node, React Native. */
const ends = new WeakMap<object, Promise<unknown>>();
/** Marks by session, where no storage is shared by tabs. */
const marks = new WeakMap<object, string>();

/** For how long a tab announces a new mark. By then, the storage of all tabs has it. */
const ANNOUNCED_MS = 10_000;
const CHECK_INTERVAL_MS = 20;
const MAX_CHECKS = 50;

/** Represents all cookie sessions of a process without Web Locks: its clients share the cookies. */
const COOKIES = {};

/** Lock and mark of a session, for all clients of a process and, in browsers, for all tabs. */
export class SessionLock {
  /** @param store the token store; undefined for cookies */
  constructor(
    private readonly name: string,
    private readonly store: object = COOKIES,
  ) {}

  /** Runs work while no other work of this session runs, in any tab. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const locks = webLocks();
    if (locks) return locks.request<unknown>(this.name, work) as Promise<T>;
    const result = (ends.get(this.store) ?? Promise.resolve()).then(work);
    ends.set(
      this.store,
      result.catch(() => undefined),
    );
    return result;
  }

  /** The mark of the last refresh. It differs after each one. */
  get mark(): string {
    return sharedStorage()?.getItem(this.name) ?? marks.get(this.store) ?? '';
  }

  get lastOutcome(): Outcome {
    return this.mark.split(' ')[1] as Outcome;
  }

  /** Records the outcome of a refresh. Call it in `run`. */
  async record(outcome: Outcome): Promise<void> {
    const mark = `${randomId()} ${outcome}`;
    marks.set(this.store, mark);
    try {
      sharedStorage()?.setItem(this.name, mark);
    } catch {
      // The storage is full. The other tabs refresh once more.
    }
    await this.announceMark(mark);
  }

  /**
   * Waits until this tab sees the mark of the last refresh. Call it in `run`: browsers pass the lock to another tab before
   * what was written to the storage.
   */
  async catchUp(): Promise<void> {
    const held = (sharedStorage() && (await webLocks()?.query())?.held) ?? [];
    const marksOfTabs = held.map(({ name = '' }) => name).filter((name) => name.startsWith(this.markPrefix));
    const latest = marksOfTabs.sort().at(-1)?.slice(this.markPrefix.length) ?? '';
    for (let n = 0; n < MAX_CHECKS && this.mark < latest; n += 1) await delay(CHECK_INTERVAL_MS);
  }

  private get markPrefix(): string {
    return `${this.name} mark `;
  }

  /** Holds a lock with the mark in its name for a while: all tabs see held locks at once. */
  private async announceMark(mark: string): Promise<void> {
    const locks = webLocks();
    if (!locks || !sharedStorage()) return;
    await new Promise<void>((announced) => {
      void locks.request(this.markPrefix + mark, () => {
        announced();
        return delay(ANNOUNCED_MS);
      });
    });
  }

  /** Calls the listener when another tab has refreshed. */
  onOtherTab(listener: (outcome: Outcome) => void): void {
    if (!sharedStorage()) return;
    globalThis.addEventListener('storage', ({ key, newValue }) => {
      if (key === this.name && newValue) listener(newValue.split(' ')[1] as Outcome);
    });
  }
}

const webLocks = (): LockManager | undefined => (globalThis.navigator as { locks?: LockManager } | undefined)?.locks;

/** Returns the storage that all tabs share; undefined outside of pages, and where the browser forbids it. */
function sharedStorage(): Storage | undefined {
  try {
    return typeof document === 'undefined' ? undefined : globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Returns an id that is not secret. */
export const randomId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
