/**
 * Saves the draft on the server while the applicant types: from the first letter on, one request at a time, until it
 * succeeds.
 */
import { call, pause, Refused, Unreachable, untilReached } from './http.js';

const SAVE_DELAY_MS = 1_500;

/** Serializes with sorted names, because the database has its own order. */
const canonical = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

export class Draft {
  #kept;
  #version;
  #timer;
  #running;
  /** Contents that were sent without an answer and may have arrived. */
  #unanswered = new Set();

  /**
   * @param on callbacks: `read()` returns what is typed; `kept`, `waits`, `throttled(seconds)` and `refused(error)`
   * report the state; `conflict(contents)` asks whether to keep what is typed here; `moved(token)` reports the token of
   * a new draft
   */
  constructor(on, token) {
    this.on = on;
    this.token = token;
    this.#kept = canonical(on.read());
  }

  /** Takes the current content of the form as the saved content. */
  adopt(version) {
    this.#version = version;
    this.#kept = canonical(this.on.read());
  }

  get isUnsaved() {
    return canonical(this.on.read()) !== this.#kept;
  }

  changed() {
    this.#timer ??= setTimeout(() => void this.keep().catch(() => undefined), this.token ? SAVE_DELAY_MS : 0);
  }

  /** Saves all that is typed. @throws Refused */
  keep() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#keepAll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Saves all that is typed. @returns the token of the draft. @throws Refused */
  async whole() {
    await this.keep();
    if (!this.token) await this.#write({});
    return this.token;
  }

  async #keepAll() {
    while (this.isUnsaved) {
      try {
        await untilReached(() => this.#write(this.on.read()), this.on.waits);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.status === 429) {
          this.on.throttled(error.seconds);
          await pause(error.seconds * 1000);
        } else if (error.status === 404 && this.token) this.token = undefined;
        else if (error.code === 'stale_version') await untilReached(() => this.#meet(), this.on.waits);
        else {
          this.on.refused(error);
          throw error;
        }
      }
    }
    if (this.token) this.on.kept();
  }

  async #write(contents) {
    const text = canonical(contents);
    try {
      if (this.token) {
        const { version } = await call('PUT', `drafts/${this.token}/`, { contents, version: this.#version });
        this.#version = version;
      } else {
        this.token = (await call('POST', 'drafts/', { contents })).token;
        this.#version = undefined;
        this.on.moved(this.token);
      }
    } catch (error) {
      if (error instanceof Unreachable) this.#unanswered.add(text);
      throw error;
    }
    this.#unanswered.clear();
    this.#kept = text;
  }

  /** Resolves a conflict: another window has saved the draft, or an answer to this window was lost. */
  async #meet() {
    const { contents, version } = await call('GET', `drafts/${this.token}/`);
    const isOurs = this.#unanswered.has(canonical(contents));
    if (isOurs || (await this.on.conflict(contents))) this.#version = version;
    else this.adopt(version);
  }
}
