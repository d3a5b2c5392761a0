/** What is typed is kept on the server: from the first letter, one request at a time, until it is there. */
import { call, pause, Refused, Unreachable, untilReached } from './http.js';

const BETWEEN_MS = 1_500;

/** The same whatever the order of its names is: the database has its own. */
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
  /** What may have arrived although nobody said so. */
  #unanswered = new Set();

  /**
   * @param on `read()` gives what is typed; `kept`, `waits`, `throttled(seconds)`, `refused(error)` say how it goes;
   *   `conflict(contents)` asks whether to keep what is typed here; `moved(token)` says where it is kept
   */
  constructor(on, token) {
    this.on = on;
    this.token = token;
    this.#kept = canonical(on.read());
  }

  /** What is kept is what is in the form now. */
  adopt(version) {
    this.#version = version;
    this.#kept = canonical(this.on.read());
  }

  get isUnsaved() {
    return canonical(this.on.read()) !== this.#kept;
  }

  changed() {
    this.#timer ??= setTimeout(() => void this.keep().catch(() => undefined), this.token ? BETWEEN_MS : 0);
  }

  /** @returns when all that is typed is kept. @throws Refused */
  keep() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#keepAll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** @returns its token, with all that is typed. @throws Refused */
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

  /** Another window has written, or an answer to this one was lost. */
  async #meet() {
    const { contents, version } = await call('GET', `drafts/${this.token}/`);
    const isOurs = this.#unanswered.has(canonical(contents));
    if (isOurs || (await this.on.conflict(contents))) this.#version = version;
    else this.adopt(version);
  }
}
