/**
 * Read-your-writes with a replica: each answer to a change carries the WAL position (LSN), the client sends it with
 * later requests, and a replica that has not replayed it is skipped. Clients that send no position read from the
 * primary.
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
/**
 * Reads that always use the primary: realtime clients fetch immediately, and process states combine rows with
 * Temporal's current state.
 */
const OF_THIS_MOMENT = /^\/api\/(notifications|realtime|processes)\//;
/** Sessions whose last write position this process remembers, for answers that overtook one another or got lost. */
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
 * Returns the replica if this request may read there and the replica has replayed enough. The primary checks each
 * time that the session is valid and its user belongs to the organization, so that signing out takes effect at once.
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

/** @returns null when the position is not known */
function writtenUpTo(request: Request, { sid }: TokenClaims): Position | null {
  const given = (request.cookies as Record<string, unknown> | undefined)?.[COOKIE];
  const positions = [request.headers['x-read-after'], given].filter((one) => one !== undefined).map(positionOf);
  if (positions.length === 0 || positions.includes(null)) return null;
  return Math.max(...(positions as Position[]), remembered.get(sid) ?? 0);
}

/** Sends the write position with the answer to a change. Does nothing for reads, or without a replica. */
export async function tellPosition(route: Route, request: Request, response: Response): Promise<void> {
  const { access } = route.spec;
  if (!config.DATABASE_READ_URL || isRead(route, request) || response.headersSent) return;
  if (access === 'public' && !SIGN_IN.test(route.path)) return;
  const position = await currentPosition().catch((error: unknown) => {
    log.warn({ err: error }, 'the database did not say where its log is');
    return null;
  });
  // With an unknown position, later reads go to the primary.
  const token = position === null ? 'unknown' : positionToken(position);
  const sid = claimsOf(request)?.sid;
  if (sid !== undefined) remember(sid, position ?? Number.POSITIVE_INFINITY);
  response.setHeader(HEADER, token);
  if (request.headers.authorization === undefined && request.headers['x-client'] !== 'native')
    sendCookies(response, [{ name: COOKIE, value: token, path: '/', maxAgeSeconds: REFRESH_TOKEN_SECONDS }]);
}
