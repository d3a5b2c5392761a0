import type { Origin } from '../../../models/database/connection.js';
import type { RequestFacts } from '../../http/routes.js';

/** For the audit log, of requests that nobody is signed in for yet. */
export const originOf = ({ id, ipAddress }: RequestFacts): Origin & { ipAddress: string } => ({
  userId: null,
  requestId: id,
  ipAddress,
});
