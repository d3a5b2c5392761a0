/**
 * The local stand-in of the professional network: a consent page, a token endpoint, userinfo and posts. Development
 * only.
 */
import { listen } from '../kit/listen.js';
import { jsonAnswer, type Answer, type Exchange } from '../kit/exchange.js';
import { page } from '../kit/html.js';
import { agreePage } from './agreePage.js';
import { Grants } from './grants.js';
import { type StoredPost, Posts } from './posts.js';

/** Paths of the real network. */
export const PATHS = {
  authorization: '/oauth/v2/authorization',
  token: '/oauth/v2/accessToken',
  userinfo: '/v2/userinfo',
  posts: '/rest/posts',
} as const;

/**
 * A fault for one request: a different response, a connection that drops before or after the request is executed, no
 * response, or a function that runs before the normal response.
 */
type Fault = Answer | 'drop' | 'drop after' | 'hang' | (() => Promise<unknown>);

export interface NetworkStandin {
  url: string;
  /** Lists the posts, newest first. */
  posts(): readonly StoredPost[];
  /** Injects a fault into the next request to a path. */
  injectFault(path: string, how: Fault): void;
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** 0 chooses a free port. */
  port: number;
  host?: string;
  client: { id: string; secret: string };
  log?: (line: string) => void;
}

/** Starts the network. Resolves when it listens. Codes and tokens are kept in memory. */
export async function startNetworkStandin(options: NetworkOptions): Promise<NetworkStandin> {
  const { port, host = '127.0.0.1', client, log = () => {} } = options;
  const grants = new Grants(client);
  const posts = new Posts(grants);
  const faults = new Map<string, Fault>();
  const serve = async (exchange: Exchange): Promise<Answer | null | undefined> => {
    const fault = faults.get(exchange.url.pathname);
    faults.delete(exchange.url.pathname);
    if (fault === 'hang') return exchange.closed.then(() => undefined);
    if (fault === 'drop') return null;
    if (typeof fault === 'object') return fault;
    if (typeof fault === 'function') await fault();
    const result = await answer(exchange, grants, posts);
    return fault === 'drop after' ? null : result;
  };
  const server = await listen(port, host, serve, log);
  const url = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${server.port}`;
  log(`professional network stand-in at ${url}`);
  return {
    url,
    posts: () => posts.newest(),
    injectFault: (path, how) => void faults.set(path, how),
    close: server.close,
  };
}

async function answer(exchange: Exchange, grants: Grants, posts: Posts): Promise<Answer> {
  const { method, url } = exchange;
  switch (`${method} ${url.pathname}`) {
    case `GET ${PATHS.authorization}`:
      return agreePage(grants, url.searchParams);
    case `POST ${PATHS.authorization}`:
      return grants.decide(new URLSearchParams(await exchange.text()));
    case `POST ${PATHS.token}`:
      return grants.redeem(new URLSearchParams(await exchange.text()));
    case `GET ${PATHS.userinfo}`:
      return grants.userinfo(exchange.header('authorization'));
    case `POST ${PATHS.posts}`:
      return posts.publish(exchange, await exchange.text());
    case `GET ${PATHS.posts}`:
      return posts.find(exchange);
    case 'GET /':
      return page('Professional network', WELCOME + posts.shown());
    default:
      return jsonAnswer(404, { error: 'not_found' });
  }
}

const WELCOME = '<p>A stand-in for the professional network. To use it, start linking an account in the platform.</p>';
