/**
 * Which reads may go to the replica, and how nobody misses there what they have just written: each answer to a change tells where the
 * log was, the client gives that back with what it asks next, and a replica that is not as far is passed over. Who gives nothing back
 * reads from the primary.
 */
import type { Request, Response } from 'express';
import { config } from '../../config.js';
import { currentPosition, type Position, positionOf, positionToken } from '../../models/database/positions.js';
import { chooseReplica } from '../../models/database/replica.js';
import type { AtReplica } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import { sessionStands } from '../../models/identity/sessionStands.js';
import { REFRESH_TOKEN_SECONDS, type TokenClaims } from '../../models/identity/tokens.js';
import { claimsOf } from './authentication.js';
import { sendCookies } from './cookies.js';
import { SAFE } from './input.js';
import type { Route } from './routes.js';

const COOKIE = 'read_after';
const HEADER = 'X-Read-After';
const SIGN_IN = /^\/api\/auth\//;
/** What realtime tells of is asked for at once, and what Temporal does now is told beside rows: both want what is there now. */
const OF_THIS_MOMENT = /^\/api\/(notifications|realtime|processes)\//;
/** Sessions of which it is remembered here, too, how far they have written: for answers that overtook one another or got lost. */
const MOST_REMEMBERED = 10_000;

const isRead = ({ spec }: Route, { method }: Request): boolean => SAFE.has(method) && !spec.writes;

const remembered = new Map<string, Position>();

function remember(sessionId: string, position: Position): void {
  const before = remembered.get(sessionId) ?? 0;
  remembered.delete(sessionId);
  remembered.set(sessionId, before === Number.POSITIVE_INFINITY ? position : Math.max(before, position));
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/**
 * The replica, where this request may be read there and the replica is far enough. Whether the session stands, and its person belongs to
 * the organization, the primary says each time: who was signed out is out at once.
 */
export async function replicaFor(route: Route, request: Request, claims: TokenClaims): Promise<AtReplica | undefined> {
  if (!config.DATABASE_READ_URL || !mayBeOlder(route, request, claims)) return undefined;
  const place = await chooseReplica(writtenUpTo(request, claims));
  return place && (await sessionStands(claims)) ? place : undefined;
}

const mayBeOlder = (route: Route, request: Request, { org, imp_sid }: TokenClaims): boolean =>
  route.spec.access === 'tenant' &&
  isRead(route, request) &&
  !OF_THIS_MOMENT.test(route.path) &&
  org !== null &&
  imp_sid === undefined;

/** @returns null when that is not known */
function writtenUpTo(request: Request, { sid }: TokenClaims): Position | null {
  const given = (request.cookies as Record<string, unknown> | undefined)?.[COOKIE];
  const positions = [request.headers['x-read-after'], given].filter((one) => one !== undefined).map(positionOf);
  if (positions.length === 0 || positions.includes(null)) return null;
  return Math.max(...(positions as Position[]), remembered.get(sid) ?? 0);
}

/** Tells with the answer to a change how far its session has written. Does nothing for reads, or where there is no replica. */
export async function tellPosition(route: Route, request: Request, response: Response): Promise<void> {
  const { access } = route.spec;
  if (!config.DATABASE_READ_URL || isRead(route, request) || response.headersSent) return;
  if (access === 'public' && !SIGN_IN.test(route.path)) return;
  const position = await currentPosition().catch((error: unknown) => {
    log.warn({ err: error }, 'the database did not say where its log is');
    return null;
  });
  // What is not known is read from the primary.
  const token = position === null ? 'unknown' : positionToken(position);
  const sid = claimsOf(request)?.sid;
  if (sid !== undefined) remember(sid, position ?? Number.POSITIVE_INFINITY);
  response.setHeader(HEADER, token);
  if (request.headers.authorization === undefined && request.headers['x-client'] !== 'native')
    sendCookies(response, [{ name: COOKIE, value: token, path: '/', maxAgeSeconds: REFRESH_TOKEN_SECONDS }]);
}
