/** The input and output of a handler. */
import type { SearchIndex } from '../resources/search.js';
import type { Store } from '../state/store.js';
import type { Parameters } from './parameters.js';

/** Services that every handler may need. */
export interface Context {
  store: Store;
  search: SearchIndex;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The stand-in's own address, for hosted pages. */
  url: () => string;
  /** Whether a default webhook endpoint is configured. */
  hasDefaultEndpoint: boolean;
}

/** An event that was written, with its pending deliveries. */
export interface Emitted {
  event: string;
  deliveries: string[];
}

/** One authenticated request. */
export interface Call extends Context {
  account: string;
  livemode: boolean;
  requestId: string;
  idempotencyKey: string | null;
  /** Ids from the path, in order. */
  ids: string[];
  params: Parameters;
  /** Set by a fault: the amount to capture instead of the requested amount. */
  captureAmount?: number;
  /** Whether money was captured. */
  captured: boolean;
  /** Events written by this call, which are delivered after the commit. */
  emitted: Emitted[];
}

export interface Reply {
  status: number;
  body: object;
}

export type Handler = (call: Call) => Reply;

/** Returns a 200 response. */
export function ok(body: object): Reply {
  return { status: 200, body };
}

/** Returns the time in whole seconds, as Stripe writes it. */
export function seconds(context: Context): number {
  return Math.floor(context.now() / 1000);
}
