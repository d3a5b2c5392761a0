/** What the bench and its helper processes tell one another. */

/** A request as it goes over the wire. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Of each connection, in a round of a part of a second: in that nothing may be answered yet, so it is a number of calls. */
export const CALLS_OF_A_PART = 4;

/** One round of load, so many connections (or loops) at the same time. */
export type Load = { connections: number } & (
  | /** Each connection repeats the calls of one person in turn; with fewer people than connections, several have the same. */
  {
      kind: 'repeat';
      bases: string[];
      people: Call[][];
      seconds: number;
    } /** The same, while all the calls of a burst are made over and over. */
  | { kind: 'beside'; base: string; people: Call[][]; seconds: number; burst: Call[] } /** Each call is made once. */
  | {
      kind: 'once';
      base: string;
      calls: Call[];
    } /** Each connection signs in, unmeasured, and refreshes its tokens over and over. */
  | {
      kind: 'refresh';
      base: string;
      logins: Call[];
      seconds: number;
    } /** So many runs of a workflow, each from start to result. */
  | {
      kind: 'workflow';
      workflow: string;
      taskQueue: string;
      count: number;
    } /** So many notifications, until each has an outcome. */
  | { kind: 'deliver'; channel: Channel; ownerUrl: string; organizationId: string; count: number }
  | /** So many mails or pushes, sent and forgotten. */ { kind: 'send'; channel: Channel; count: number }
);

export type Channel = 'email' | 'ios';

/** What a round has measured. */
export interface Measured {
  perSecond: number;
  /** Milliseconds, sorted. */
  latencies: number[];
  /** Answers other than 2xx, and calls without one. */
  failures: number;
}

/** What the reference server is told. */
export interface ReferenceSettings {
  port: number;
  connections: number;
  ownerUrl: string;
  /** The API's own address, which links in answers begin with. */
  backendUrl: string;
  /** The organization that applications are sent to; of other requests the path or the token says it. */
  organizationId: string;
}

/** The workflow of one empty step, and where its worker listens. */
export const ONE_STEP = { workflow: 'oneStep', taskQueue: 'bench' } as const;

/** The environment's variable that hands a helper its settings. */
export const SETTINGS = 'BENCH_SETTINGS';

/** The settings that the reference server was started with. @throws Error when it was started by hand */
export const handedSettings = (): ReferenceSettings => handed() as ReferenceSettings;

/** Where a helper is to listen. @throws Error when it was started by hand */
export const handedPort = (): number => (handed() as { port: number }).port;

function handed(): unknown {
  const text = process.env[SETTINGS];
  if (!text) throw new Error('This is a helper of `npm run bench`.');
  return JSON.parse(text);
}
