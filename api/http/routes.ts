/**
 * Routes as data: input, responses and errors of each address. The server, the docs and the tests read the same list.
 */
import type { Readable } from 'node:stream';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Statement } from '../../models/database/rows.js';
import type { ErrorDefinition, Refusal } from '../../models/errors.js';
import type { Actor, Person } from '../../models/identity/Actor.js';
import type { BodyBounds } from './boundedBody.js';
import type { Rule } from './policy.js';
import type { ThrottleScope } from './throttles/scopes.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The people who may use a route. A `public` route authenticates no one, and no transaction is opened for it. */
export type Access = 'public' | 'account' | 'tenant' | 'platform';

type Shape = z.ZodType;
type Output<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined;

/** Facts about the request that handlers may need. */
export interface RequestFacts {
  id: string;
  ipAddress: string;
  userAgent: string | null;
  /** Scheme, host and path, without the query. Links to other pages of a list are built from it. */
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

/** A query sent together with the actor look-up, before it is known what the actor may see. */
interface SingleMessageReadFor<Who extends Person, P extends Shape | undefined, Q extends Shape | undefined> {
  /**
   * Returns the query to send. It is built only from the path, the query string and the caller's id; row level security
   * applies the actor's tenant. If it returns null, the handler runs instead.
   */
  statement(input: { params: Output<P>; query: Output<Q>; userId: string }): Statement | null;
  /** Returns the response as JSON, if this person may see all of it. If it returns null, the handler runs instead. */
  answer(
    input: { actor: Who; params: Output<P>; query: Output<Q>; request: RequestFacts },
    row: Record<string, unknown> | undefined,
  ): string | null;
}

export type SingleMessageRead<P extends Shape | undefined, Q extends Shape | undefined> =
  | ({ skipMemberships?: false } & SingleMessageReadFor<Actor, P, Q>)
  // For routes open to all members: offices and memberships are not loaded.
  | ({ skipMemberships: true } & SingleMessageReadFor<Person, P, Q>);

export interface RouteSpec<
  A extends Access,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
  R extends Shape | undefined,
> {
  /** One line for the API documentation. */
  summary: string;
  /** More for the API documentation, in Markdown. */
  description?: string;
  /** Name of the operation in the API documentation; absent: it is made from method and path. */
  operationId?: string;
  /** Headers for the API documentation; the handler reads them from the raw request. */
  headers?: z.ZodObject;
  access: A;
  /**
   * Policy rule of a tenant route: a route without one is not served, and a handler that answers without checking it
   * fails. Routes with `account` access belong to the person, those with `platform` to platform admins.
   */
  rule?: Rule;
  params?: P;
  query?: Q;
  body?: B;
  /** Schema of the response; absent: the response has no body (204). */
  response?: R;
  status?: number;
  /** Other statuses with the same body. */
  alsoStatus?: number[];
  errors?: ErrorDefinition[];
  /**
   * A query that is sent together with the look-up of the actor. Usually its result is enough for the response; this
   * saves the handler and two round trips.
   */
  singleMessageRead?: SingleMessageRead<P, Q>;
  /** Set for a GET whose handler writes to the database. */
  writes?: boolean;
  /**
   * A public route that signs people in: its requests have a connection quota apart from other anonymous requests.
   */
  signsIn?: true;
  /** Replaces the default throttle. `[]` exempts. */
  throttle?: readonly ThrottleScope[];
  /**
   * Requires a sign-in within the last 15 minutes. `credentials`: the sign-in must have used a password or passkey; for
   * routes that change the access to an account. `tenant`: any kind of sign-in; for routes about the organization's
   * data.
   */
  stepUp?: 'credentials' | 'tenant';
  /**
   * Whether an impersonating admin may read here; impersonated sessions never write. Absent: closed in the areas of
   * the account and the foundation, readable elsewhere. A public route ignores sessions unless it is `closed` by this
   * field.
   */
  impersonation?: 'readable' | 'closed';
  /**
   * Whether a session that was authenticated only by an organization's identity provider may use this route. `open`:
   * the route shows and changes only data of that organization and that session. `closed`: the route acts for the
   * person outside of that organization. Absent: closed in the account area, open elsewhere.
   */
  confined?: 'open' | 'closed';
  /** Receives the body as unparsed bytes: for signatures. */
  rawBody?: boolean;
  /** Answers with an ETag, and with 304 when nothing changed. */
  revalidated?: true;
  /**
   * Renders a refusal as a page, for a route that people open in a browser. The route's form is accepted only from
   * pages of this origin. Throttles run after the form was read, so that every refusal page can show what the person
   * typed.
   */
  refusalPage?: (refusal: Refusal, request: RequestFacts) => Answer<void> | Promise<Answer<void>>;
  /** Fields of a form received as raw body, for the API documentation. */
  form?: z.ZodObject;
  /** Media type of a text response, for the API documentation. */
  textResponse?: string;
  /** A multipart form with a file, which the handler reads by `receiveFile` once the request is admitted. */
  upload?: z.ZodObject;
  /** Errors are reported at the callback to which the browser is redirected, not in this response. */
  errorsAtCallback?: true;
  /** Own bounds for reading the body; absent: up to BODY_LIMIT_BYTES. */
  bodyBounds?: BodyBounds;
  tags?: readonly string[];
  /** May answer 202 without a body; `Location` and `Retry-After` say where and when to ask again. */
  later?: true;
}

/** A result with status, headers or cookies besides its JSON. */
export class Answer<T> {
  constructor(
    readonly body: T,
    readonly extra: {
      status?: number;
      headers?: Record<string, string>;
      cookies?: AnswerCookie[];
      /** Text instead of JSON; the headers name its type. */
      text?: string;
      /** A stream sent after the commit. A failure in the middle closes the connection. */
      stream?: Readable;
    } = {},
  ) {}
}

export interface AnswerCookie {
  name: string;
  /** Value of the cookie; null deletes the cookie. */
  value: string | null;
  path: string;
  maxAgeSeconds: number;
  /** `strict`: browsers send the cookie with no request that another site causes. Absent: `lax`. */
  sameSite?: 'strict' | 'lax';
}

/** A result that is serialized already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Work after the commit, whose result is the response. No transaction is open in it. */
export class AfterCommit<T> {
  constructor(readonly work: (dispatched: Promise<void>) => Promise<T | Answer<T>>) {}
}

export type Result<T> = T | Answer<T> | AfterCommit<T>;

export interface Route {
  method: Method;
  path: string;
  spec: RouteSpec<Access, Shape | undefined, Shape | undefined, Shape | undefined, Shape | undefined>;
  // Typed for the most general route: the `define` functions below have already checked each handler against its own
  // spec.
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
/** @public for resources that are replaced as a whole */
export const put = define('put');
export const patch = define('patch');
export const del = define('delete');

/** Puts routes under a base path. Paths end with a slash; clients may leave it off. */
export const routes = (base: string, list: Route[]): Route[] =>
  list.map((route) => ({ ...route, path: base + route.path }));
