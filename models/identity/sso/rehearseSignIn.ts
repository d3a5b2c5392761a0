import { currentScope } from '../../database/connection.js';
import { rows } from '../../database/rows.js';
import { bindIdentity } from './bindIdentity.js';
import { findConnectionById } from './connections.js';
import type { SsoFailure } from './errors.js';
import type { ProvenIdentity } from './provenIdentity.js';

/**
 * Finds out whether a sign-in would succeed: performs it in the caller's transaction and then rolls it back to a
 * savepoint. The transaction must belong to the connection's organization.
 * @returns null if the person would be signed in, otherwise the reason of the refusal
 */
export async function rehearseSignIn(connectionId: string, proven: ProvenIdentity): Promise<SsoFailure | null> {
  const connection = await findConnectionById(connectionId);
  if (!connection) return 'connection_inactive';
  const { enqueued } = currentScope();
  const before = enqueued.length;
  await rows('SAVEPOINT rehearsal');
  const binding = await bindIdentity(connection, proven);
  await rows('ROLLBACK TO SAVEPOINT rehearsal');
  enqueued.length = before;
  return 'failure' in binding ? binding.failure : null;
}
