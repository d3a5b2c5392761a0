import type { Origin } from '../../models/database/connection.js';
import type { Person } from '../../models/identity/Actor.js';
import type { RequestFacts } from './routes.js';

/** Origin for the audit log: actor, address, request and session. The actor is left out where the caller is not signed in. */
export const originOf = (
  { id, ipAddress, raw }: RequestFacts,
  actor?: Pick<Person, 'userId' | 'sessionId'>,
): Origin & { ipAddress: string } => ({
  userId: actor?.userId ?? null,
  requestId: id,
  ipAddress,
  ...(actor && { sessionId: actor.sessionId }),
  ...(raw.originalUrl.startsWith('/api/platform/') && { isPlatformRequest: true }),
});
