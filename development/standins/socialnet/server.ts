/** The professional network as this machine has it: a page to agree on, a token endpoint, userinfo. Development only. */
import { listen } from '../kit/listen.js';
import { jsonAnswer, type Answer, type Exchange } from '../kit/exchange.js';
import { page } from '../kit/html.js';
import { agreePage } from './agreePage.js';
import { Grants } from './grants.js';
import { type KeptPost, Posts } from './posts.js';

/** Its paths are those of the real network. */
export const PATHS = {
  authorization: '/oauth/v2/authorization',
  token: '/oauth/v2/accessToken',
  userinfo: '/v2/userinfo',
  posts: '/rest/posts',
} as const;

/** Another answer, none before or after it did what it was asked for, or the right one after something has happened. */
type Misbehaviour = Answer | 'drop' | 'drop after' | 'hang' | (() => Promise<unknown>);

export interface NetworkStandin {
  url: string;
  /** What people have posted, the newest first. */
  posts(): readonly KeptPost[];
  /** Deals so with the next request to a path. */
  misbehave(path: string, how: Misbehaviour): void;
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** 0 takes a free one. */
  port: number;
  host?: string;
  client: { id: string; secret: string };
  log?: (line: string) => void;
}

/** Resolves once it listens. What it gave out lives in memory. */
export async function startNetworkStandin(options: NetworkOptions): Promise<NetworkStandin> {
  const { port, host = '127.0.0.1', client, log = () => {} } = options;
  const grants = new Grants(client);
  const posts = new Posts(grants);
  const planned = new Map<string, Misbehaviour>();
  const serve = async (exchange: Exchange): Promise<Answer | null | undefined> => {
    const plan = planned.get(exchange.url.pathname);
    planned.delete(exchange.url.pathname);
    if (plan === 'hang') return exchange.closed.then(() => undefined);
    if (plan === 'drop') return null;
    if (typeof plan === 'object') return plan;
    if (typeof plan === 'function') await plan();
    const given = await answer(exchange, grants, posts);
    return plan === 'drop after' ? null : given;
  };
  const server = await listen(port, host, serve, log);
  const url = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${server.port}`;
  log(`professional network stand-in at ${url}`);
  return {
    url,
    posts: () => posts.newest(),
    misbehave: (path, how) => void planned.set(path, how),
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

const WELCOME =
  '<p>A stand-in for the professional network. Begin to link an account in the platform to come here.</p>';
