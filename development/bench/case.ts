/** The parts of a benchmark case: what is measured, its reference, and its target. */
import type { Bare } from './bareStatement.js';
import type { ForumReader } from './forums.js';
import type { Giving } from './giving.js';
import type { Call, Load } from './protocol.js';
import type { Readers, SignedIn, World } from './world.js';

/**
 * The result that the product must reach compared with the reference: a minimum ratio of requests per second, or a
 * maximum ratio of median latencies.
 */
export type Target = { rate: number } | { latency: number } | null;

export interface Case {
  name: string;
  target: Target;
  product: (round: number) => Load | Promise<Load>;
  /** Returns the load of the reference in a round. Null when the case has no reference. */
  reference: ((round: number) => Load) | null;
  /** Statements per second of Postgres alone; absent when the case is not a read of one statement. */
  limit?: () => Promise<number>;
  /**
   * Compares the responses of product and reference.
   * @throws Error when they differ
   */
  check: () => Promise<void>;
}

export interface Setting {
  world: World;
  product: string;
  /** Two processes of the product (the first is `product`), and two of the reference. */
  both: { product: string[]; reference: string[] };
  /** Address of a server with two routes, one with authentication and one without. */
  plain: string;
  neighbour: Record<string, string>;
  readers: Readers<SignedIn>;
  /** The officer's calls that are repeated as a burst; the case measures how they slow down another tenant. */
  burst: Call[];
  /** Settings for statements that run on Postgres without the product. */
  bare: Bare;
  connections: number;
  /** Length of one round. */
  seconds: number;
  /** Payments for each round; those of the warm-up come first. */
  payments: Call[][];
  /** Makes the payments of a round, and returns a refund call for each. */
  refunds: (round: number) => Promise<Call[]>;
  /** People and campaigns of foundations. */
  giving: Giving;
  /** Members, each with a forum of their organization. */
  forumReaders: ForumReader[];
  /** Admins of organizations, who moderate all forums. */
  forumModerators: ForumReader[];
  /** Calls that send an application, for each turn of product and reference. */
  applications: Call[][];
  /** Calls that mark notifications as read, for each turn of product and reference. */
  unread: Call[][];
  ownerUrl: string;
  /** Number of mails and of pushes in a round. */
  tellings: number;
  /** Begins new sign-ins with a passkey and returns the calls that complete them; only these calls are measured. */
  passkeySignIns: () => Promise<Call[]>;
  /** Calls that each post a new SAML response to the API. The sign-in at the provider is done already. */
  samlResponses: () => Promise<Call[]>;
}
