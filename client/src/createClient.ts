/** Creates a client: one function per HTTP method, with the addresses of the API's description. */
import { type AnyOptions, createCall } from './call.js';
import { type ClientEvent, Events } from './events.js';
import { readAll, readPages } from './lists.js';
import type { Result } from './result.js';
import { Session } from './session.js';
import type { TokenStore } from './tokens.js';
import { type Fetch, Transport } from './transport.js';
import type { CallArguments, Data, Method, Operation, PagedPath, PageOf, PathOf, Row } from './types.js';

const TIMEOUT_MS = 30_000;

export interface ClientOptions {
  /** Where the API is, for example `https://api.example.org`. Default: the origin of the page. */
  baseUrl?: string;
  /** `cookies` in browsers; elsewhere the store of a bearer session's tokens. */
  session: 'cookies' | TokenStore;
  /** The organization to act for: platform admins must name one. You can change it on the client. */
  organizationId?: string | undefined;
  /** Time that a call may take, its repetitions included. Default: 30 s. */
  timeoutMs?: number;
  /** Default: the global fetch. */
  fetch?: Fetch;
}

type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...options: CallArguments<Operation<Path, M>>
) => Promise<Result<Data<Path, M>>>;

export interface Client {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** Yields the result of each page of a list, and ends after a failure. */
  pages<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<Operation<Path, 'get'>>
  ): AsyncGenerator<Result<PageOf<Path>>, void>;
  /** Returns the rows of all pages of a list, or the first failure. */
  all<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<Operation<Path, 'get'>>
  ): Promise<Result<Row<Path>[]>>;
  /** Adds a listener. @returns a function that removes it */
  on(event: ClientEvent, listener: () => void): () => void;
  /** The organization to act for. */
  organizationId: string | undefined;
}

/** Creates a client of one session. Create one client and share it. */
export function createClient(options: ClientOptions): Client {
  const { session, timeoutMs = TIMEOUT_MS, organizationId } = options;
  const baseUrl = (options.baseUrl ?? globalThis.location.origin).replace(/\/$/, '');
  const transport = new Transport(options.fetch ?? ((request, init) => globalThis.fetch(request, init)));
  const events = new Events();
  const call = createCall(new Session({ baseUrl, session, timeoutMs }, transport, events), {
    baseUrl,
    timeoutMs,
    organizationId: () => client.organizationId,
  });
  const bind = (method: Method) => (path: string, init?: AnyOptions) => call(method, path, init);
  const client = {
    GET: bind('get'),
    POST: bind('post'),
    PUT: bind('put'),
    PATCH: bind('patch'),
    DELETE: bind('delete'),
    pages: (path: string, init?: AnyOptions) => readPages(call, path, init),
    all: (path: string, init?: AnyOptions) => readAll(call, path, init),
    on: (event: ClientEvent, listener: () => void) => events.on(event, listener),
    organizationId,
  };
  return typed(client);
}

/** Gives a client its types. Its parameter is unknown, because linters take minutes to compare the types. */
const typed = (client: unknown): Client => client as Client;
