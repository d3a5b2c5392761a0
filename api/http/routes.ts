/** Routes as data: what an address takes, answers and refuses. The server, the docs and the tests read the same list. */
import type { Readable } from 'node:stream';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Statement } from '../../models/database/rows.js';
import type { ErrorDefinition } from '../../models/errors.js';
import type { Actor, Person } from '../../models/identity/Actor.js';
import type { Intake } from './intake.js';
import type { Rule } from './policy.js';
import type { ThrottleScope } from './throttles/scopes.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * public: nobody is asked for, and no transaction is opened.
 * account: a signed-in person, whatever the organization.
 * tenant: a signed-in person who stands in an organization; the transaction has its tenant.
 * platform: platform admins only, without a tenant.
 */
export type Access = 'public' | 'account' | 'tenant' | 'platform';

type Shape = z.ZodType;
type Output<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined;

/** Facts about the request that handlers may need. */
export interface RequestFacts {
  id: string;
  ipAddress: string;
  userAgent: string | null;
  /** Scheme, host and path, without the query: what page links are built from. */
  url: string;
  raw: Request;
}

export interface Context<
  A extends Access,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
> {
  actor: A extends 'public' ? undefined : Actor;
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
  request: RequestFacts;
}

/** A read that goes to the database together with the look-up of the actor, before it is known what they may see. */
interface AheadOf<Who extends Person, P extends Shape | undefined, Q extends Shape | undefined> {
  /** It finds a row or two by their keys, and takes less time than to know who asks. */
  isLookUp?: true;
  /**
   * Made of the address and the caller's id alone; row level security shows it the actor's tenant. Null: not this time.
   */
  statement(given: { params: Output<P>; query: Output<Q>; userId: string }): Statement | null;
  /** The answer as JSON, if this person may see all of it; null leaves the answer to the handler. */
  answer(
    given: { actor: Who; params: Output<P>; query: Output<Q>; request: RequestFacts },
    row: Record<string, unknown> | undefined,
  ): string | null;
}

export type Ahead<P extends Shape | undefined, Q extends Shape | undefined> =
  | ({ whoever?: false } & AheadOf<Actor, P, Q>)
  // Open to whoever belongs to the organization: offices and memberships are not read.
  | ({ whoever: true } & AheadOf<Person, P, Q>);

/**
 * A change of rows that are the caller's own, which goes to the database together with the look-up of the caller. For what
 * whoever belongs to the organization may do: who may not is shown no rows by Postgres, and refused afterwards.
 */
interface ChangeAhead<B extends Shape | undefined> {
  /** Row level security shows it the caller's tenant; it finds the caller's rows by their id. */
  statement(given: { body: Output<B>; userId: string }): Statement;
  /** The answer as JSON, when the change is committed. */
  answer(given: { actor: Person }, row: Record<string, unknown>): string;
}

export interface RouteSpec<
  A extends Access,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
  R extends Shape | undefined,
> {
  /** One line for the docs. */
  summary: string;
  /** More for the docs, in Markdown. */
  description?: string;
  /** Left out: made from method and path. */
  operationId?: string;
  /** Headers that the docs name; the handler reads them from the raw request. */
  headers?: z.ZodObject;
  access: A;
  /**
   * By which rule a tenant's route admits: it is not served without one, and an answer that was given without asking it
   * is no answer. What is `account` is the person's own, what is `platform` is for platform admins.
   */
  rule?: Rule;
  params?: P;
  query?: Q;
  body?: B;
  /** Left out: the answer has no body (204). */
  response?: R;
  status?: number;
  /** Other statuses with the same body. */
  alsoStatus?: number[];
  errors?: ErrorDefinition[];
  /** Saves the handler, and two round trips, in the usual case. */
  ahead?: Ahead<P, Q>;
  /** The same of a change; beside a handler that does it the ordinary way. */
  changesAhead?: ChangeAhead<B>;
  /** A GET that writes all the same. */
  writes?: boolean;
  /** Of a public one: people sign in by it, and wait for a connection apart from other strangers. */
  signsIn?: true;
  /** Replaces the default throttle. `[]` exempts. */
  throttle?: readonly ThrottleScope[];
  /**
   * Needs a sign-in of the last 15 minutes. credentials: with password or passkey, for what opens the account.
   * tenant: of any kind, for what is the organization's.
   */
  stepUp?: 'credentials' | 'tenant';
  /**
   * Whether an admin who sees the platform as a member may read here; nobody writes so. Left out: closed in the account
   * area, readable elsewhere.
   */
  impersonation?: 'readable' | 'closed';
  /**
   * Whether a session that only an organization's identity provider vouches for may come here. Left out: not in the
   * account area. open: shows and changes nothing beyond that organization and that session. closed: acts in the person's
   * name outside of it.
   */
  confined?: 'open' | 'closed';
  /** Gets the body as bytes, unparsed: for signatures. */
  rawBody?: boolean;
  /** Answers with an ETag, by which whoever asks again is told that nothing has changed. */
  revalidated?: true;
  /** Fields of a form that it takes as raw body, for the docs. */
  form?: z.ZodObject;
  /** Media type of an answer that is text, for the docs. */
  textResponse?: string;
  /** A multipart form with a file, which the handler reads by `receiveFile` once the request is admitted. */
  upload?: z.ZodObject;
  /** People only pass: what goes wrong is told at the callback that they are sent on to, and not here. */
  errorsAtCallback?: true;
  /** Bounds of its own for reading the body; else it is read up to BODY_LIMIT_BYTES. */
  intake?: Intake;
  tags?: readonly string[];
  /** What takes its time may be answered with 202 and no body: `Location` and `Retry-After` say where and when to ask again. */
  later?: true;
}

/** A value with more to say than its JSON. */
export class Answer<T> {
  constructor(
    readonly body: T,
    readonly extra: {
      status?: number;
      headers?: Record<string, string>;
      cookies?: AnswerCookie[];
      /** Instead of JSON; the headers say what it is. */
      text?: string;
      /** The same, sent as it comes, after the commit. What goes wrong amid it cuts the connection. */
      stream?: Readable;
    } = {},
  ) {}
}

export interface AnswerCookie {
  name: string;
  /** null clears it. */
  value: string | null;
  path: string;
  maxAgeSeconds: number;
}

/** An answer that is JSON already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Work that waits for the commit: the answer is what it returns. No transaction is open in it. */
export class AfterCommit<T> {
  constructor(readonly work: (dispatched: Promise<void>) => Promise<T | Answer<T>>) {}
}

export type Result<T> = T | Answer<T> | AfterCommit<T>;

export interface Route {
  method: Method;
  path: string;
  spec: RouteSpec<Access, Shape | undefined, Shape | undefined, Shape | undefined, Shape | undefined>;
  // The pairing of spec and handler was checked where the route was written.
  handler: (context: Context<Access, Shape, Shape, Shape>) => Promise<Result<unknown>>;
}

const define =
  (method: Method) =>
  <
    A extends Access,
    P extends Shape | undefined = undefined,
    Q extends Shape | undefined = undefined,
    B extends Shape | undefined = undefined,
    R extends Shape | undefined = undefined,
  >(
    path: string,
    spec: RouteSpec<A, P, Q, B, R>,
    handler: (context: Context<A, P, Q, B>) => Promise<Result<R extends Shape ? z.input<R> : void>>,
  ): Route =>
    ({ method, path, spec, handler }) as unknown as Route;

export const get = define('get');
export const post = define('post');
/** @public for what is replaced as a whole */
export const put = define('put');
export const patch = define('patch');
export const del = define('delete');

/** Puts routes under a base path. Paths end with a slash; clients may leave it off. */
export const routes = (base: string, list: Route[]): Route[] =>
  list.map((route) => ({ ...route, path: base + route.path }));
