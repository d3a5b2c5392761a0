/** Messages between the benchmark and its helper processes. */

/** An HTTP request. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Calls per connection in a round shorter than a second: a fixed number, because there may be no answer within the
 * time.
 */
export const CALLS_IN_SHORT_ROUND = 4;

/** One round of load with the given number of concurrent connections or loops. */
export type Load = { connections: number } & (
  | /** Repeats one person's calls per connection; connections may share a person. */
  {
      kind: 'repeat';
      bases: string[];
      people: Call[][];
      seconds: number;
    } /** Like 'repeat', while all calls of a burst are repeated as well. */
  | { kind: 'beside'; base: string; people: Call[][]; seconds: number; burst: Call[] } /** Each call is made once. */
  | {
      kind: 'once';
      base: string;
      calls: Call[];
    } /** Each connection signs in, which is not measured, and refreshes its tokens repeatedly. */
  | {
      kind: 'refresh';
      base: string;
      logins: Call[];
      seconds: number;
    } /** Runs a workflow `count` times, each from start to result. */
  | {
      kind: 'workflow';
      workflow: string;
      taskQueue: string;
      count: number;
    } /** Sends `count` notifications and waits until each has an outcome. */
  | { kind: 'deliver'; channel: Channel; ownerUrl: string; organizationId: string; count: number }
  | /** Sends `count` mails or pushes without tracking them. */ { kind: 'send'; channel: Channel; count: number }
  | /** Charges the due periods of `count` new pledges, each from the start of its process until it is paid. */ {
      kind: 'charge';
      ownerUrl: string;
      count: number;
    } /** Draws and mails the annual receipts of a run without tracking them. */
  | { kind: 'draw'; ownerUrl: string; runId: string } /** Recovers processes until so many pledges sleep. */
  | { kind: 'recover'; sleeping: number }
);

export type Channel = 'email' | 'ios';

/** Result of a round. */
export interface Measured {
  perSecond: number;
  /** In milliseconds, sorted. */
  latencies: number[];
  /** Number of answers other than 2xx and of calls without an answer. */
  failures: number;
}

/** Settings of the reference server. */
export interface ReferenceSettings {
  port: number;
  connections: number;
  ownerUrl: string;
  /** The API's own address, with which links in answers begin. */
  backendUrl: string;
  /** The organization that receives applications. Other requests name their organization in the path or the token. */
  organizationId: string;
}

/** The workflow of one empty step and its task queue. */
export const ONE_STEP = { workflow: 'oneStep', taskQueue: 'bench' } as const;

/** The environment variable with a helper's settings. */
export const SETTINGS = 'BENCH_SETTINGS';

/** Returns the settings of the reference server. @throws Error when it was started by hand */
export const handedSettings = (): ReferenceSettings => handed() as ReferenceSettings;

/** Returns the port of a helper. @throws Error when it was started by hand */
export const handedPort = (): number => (handed() as { port: number }).port;

function handed(): unknown {
  const text = process.env[SETTINGS];
  if (!text) throw new Error('This program is a helper of `npm run bench`: do not start it by hand.');
  return JSON.parse(text);
}
