import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { UnreadState } from './readForConnected.js';

/** The session with which a connection was opened. */
export interface SocketHolder {
  sessionId: string;
  userId: string;
  organizationId: string;
  /** How often the session had switched organizations when the connection was opened. */
  switches: number;
}

/**
 * Checks any number of realtime connections in one statement.
 * @returns for each connection, in the given order, its unread state; undefined if it must be closed
 */
export async function checkHolders(holders: readonly SocketHolder[]): Promise<(UnreadState | undefined)[]> {
  const validRows = await inPlatform(
    () =>
      rows<UnreadState & { position: number }>('SELECT * FROM app.standing_sockets($1, $2, $3, $4)', [
        holders.map(({ sessionId }) => sessionId),
        holders.map(({ userId }) => userId),
        holders.map(({ organizationId }) => organizationId),
        holders.map(({ switches }) => switches),
      ]),
    { readOnly: true },
  );
  const states: (UnreadState | undefined)[] = holders.map(() => undefined);
  for (const { position, newest, unread_count, action_required_count } of validRows)
    states[position - 1] = { newest, unread_count, action_required_count };
  return states;
}
