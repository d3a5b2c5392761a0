/** The clients of one session share a lock and the outcome of the last refresh. */

/** `renewed` and `restored` have new tokens; `restored` ones are the admin's own, after an impersonation. */
export type Outcome = 'renewed' | 'restored' | 'ended' | 'failed';

/** Ends of chained work by session, where Web Locks are missing: Node, React Native. */
const ends = new WeakMap<object, Promise<unknown>>();
/** Marks by session, where no storage is shared by tabs. */
const marks = new WeakMap<object, string>();

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
    const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager };
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

  record(outcome: Outcome): void {
    const mark = `${randomId()} ${outcome}`;
    marks.set(this.store, mark);
    try {
      sharedStorage()?.setItem(this.name, mark);
    } catch {
      // The storage is full. The other tabs refresh once more.
    }
  }

  /** Calls the listener when another tab has refreshed. */
  onOtherTab(listener: (outcome: Outcome) => void): void {
    if (!sharedStorage()) return;
    globalThis.addEventListener('storage', ({ key, newValue }) => {
      if (key === this.name && newValue) listener(newValue.split(' ')[1] as Outcome);
    });
  }
}

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
