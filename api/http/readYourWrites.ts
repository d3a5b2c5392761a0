/**
 * Read-your-writes with a replica: each response to a change carries the WAL position (LSN), the client sends it with
 * later requests, and a replica that has not replayed it is skipped. Clients that send no position read from the
 * primary.
 */
import type { Request, Response } from 'express';
import { config } from '../../config.js';
import { currentLsn, type Lsn, lsnOfToken, lsnToken } from '../../models/database/lsn.js';
import { chooseReplica } from '../../models/database/replica.js';
import type { AtReplica } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import { isSessionValid } from '../../models/identity/isSessionValid.js';
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
const PRIMARY_ONLY = /^\/api\/(notifications|realtime|processes)\//;
/**
 * Maximum number of sessions whose last write position is cached (LRU). The cache is needed when responses overtook one
 * another or got lost.
 */
const MAX_CACHED_POSITIONS = 10_000;

const isRead = ({ spec }: Route, { method }: Request): boolean => SAFE.has(method) && !spec.writes;

const lastPositions = new Map<string, Lsn>();

function cachePosition(sessionId: string, position: Lsn): void {
  const previous = lastPositions.get(sessionId) ?? 0;
  lastPositions.delete(sessionId);
  lastPositions.set(sessionId, previous === Number.POSITIVE_INFINITY ? position : Math.max(previous, position));
  const [oldest] = lastPositions.keys();
  if (lastPositions.size > MAX_CACHED_POSITIONS && oldest !== undefined) lastPositions.delete(oldest);
}

/**
 * Returns the replica if this request may read there and the replica has replayed enough. The primary checks each
 * time that the session is valid and its user belongs to the organization, so that signing out takes effect at once.
 */
export async function replicaFor(route: Route, request: Request, claims: TokenClaims): Promise<AtReplica | undefined> {
  if (!config.DATABASE_READ_URL || !mayUseReplica(route, request, claims)) return undefined;
  const replica = await chooseReplica(lastWritePosition(request, claims));
  return replica && (await isSessionValid(claims)) ? replica : undefined;
}

const mayUseReplica = (route: Route, request: Request, { org, imp_sid }: TokenClaims): boolean =>
  route.spec.access === 'tenant' &&
  isRead(route, request) &&
  !PRIMARY_ONLY.test(route.path) &&
  org !== null &&
  imp_sid === undefined;

/**
 * Returns the position that a replica must have replayed.
 * @returns null when the position is not known
 */
function lastWritePosition(request: Request, { sid }: TokenClaims): Lsn | null {
  const cookie = (request.cookies as Record<string, unknown> | undefined)?.[COOKIE];
  const positions = [request.headers['x-read-after'], cookie].filter((one) => one !== undefined).map(lsnOfToken);
  if (positions.length === 0 || positions.includes(null)) return null;
  return Math.max(...(positions as Lsn[]), lastPositions.get(sid) ?? 0);
}

/** Sends the write position with the response to a change. Does nothing for reads, or without a replica. */
export async function sendPosition(route: Route, request: Request, response: Response): Promise<void> {
  const { access } = route.spec;
  if (!config.DATABASE_READ_URL || isRead(route, request) || response.headersSent) return;
  if (access === 'public' && !SIGN_IN.test(route.path)) return;
  const position = await currentLsn().catch((error: unknown) => {
    log.warn({ err: error }, 'could not read the WAL position');
    return null;
  });
  // With an unknown position, later reads go to the primary.
  const token = position === null ? 'unknown' : lsnToken(position);
  const sid = claimsOf(request)?.sid;
  if (sid !== undefined) cachePosition(sid, position ?? Number.POSITIVE_INFINITY);
  response.setHeader(HEADER, token);
  if (request.headers.authorization === undefined && request.headers['x-client'] !== 'native')
    sendCookies(response, [{ name: COOKIE, value: token, path: '/', maxAgeSeconds: REFRESH_TOKEN_SECONDS }]);
}
