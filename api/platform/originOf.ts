import type { Origin } from '../../models/database/connection.js';
import type { Actor } from '../../models/identity/Actor.js';
import type { RequestFacts } from '../http/routes.js';

/** Who asks, for transactions that are opened after the request's own. */
export const originOf = (actor: Actor, { id, ipAddress }: RequestFacts): Origin => ({
  userId: actor.userId,
  requestId: id,
  ipAddress,
});
