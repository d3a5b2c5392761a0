/** What is measured, beside what, and what it has to reach; and what cases are made of. */
import type { Bare } from './bareStatement.js';
import type { Call, Load } from './protocol.js';
import type { Readers, SignedIn, World } from './world.js';

/** At least so many times the reference's requests a second, or less than so many times its median latency. */
export type Target = { rate: number } | { latency: number } | null;

export interface Case {
  name: string;
  target: Target;
  product: (round: number) => Load | Promise<Load>;
  /** Null: it is measured by itself. */
  reference: ((round: number) => Load) | null;
  /** What Postgres alone makes of its statement in a second; absent: it is not a read of one statement. */
  limit?: () => Promise<number>;
  /** @throws Error when the two do not answer the same */
  check: () => Promise<void>;
}

export interface Setting {
  world: World;
  product: string;
  /** Two processes of the product, the first of them among them, and as many of the reference. */
  both: { product: string[]; reference: string[] };
  /** Serves one route with and without authentication. */
  plain: string;
  neighbour: Record<string, string>;
  readers: Readers<SignedIn>;
  /** Calls of the officer that the neighbour is to notice little of. */
  burst: Call[];
  /** What statements alone run on. */
  bare: Bare;
  connections: number;
  /** Of one round. */
  seconds: number;
  /** Payments for each round, the warm-up's first. */
  payments: Call[][];
  /** As many calls that refund, for a round; what they give back is paid when they are asked for. */
  refunds: (round: number) => Promise<Call[]>;
  /** Calls that send an application, for each round of product and reference in turns. */
  applications: Call[][];
  /** Calls that mark notifications as read, for each round of product and reference in turns. */
  unread: Call[][];
  ownerUrl: string;
  /** Mails of a round, and pushes. */
  tellings: number;
  /** Sign-ins with a passkey that wait to be completed, new ones each time. */
  passkeySignIns: () => Promise<Call[]>;
  /** Answers of an identity provider that wait to be received, new ones each time. */
  samlResponses: () => Promise<Call[]>;
}
