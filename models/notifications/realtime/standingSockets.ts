import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Standing } from './readForConnected.js';

/** What a connection was opened with. */
export interface SocketHolder {
  sessionId: string;
  userId: string;
  organizationId: string;
  /** How often the session had moved to another organization. */
  switches: number;
}

/** Looks at any number of connections in one statement. @returns by position; undefined where a connection must end */
export async function standingSockets(holders: readonly SocketHolder[]): Promise<(Standing | undefined)[]> {
  const found = await inPlatform(
    () =>
      rows<Standing & { position: number }>('SELECT * FROM app.standing_sockets($1, $2, $3, $4)', [
        holders.map(({ sessionId }) => sessionId),
        holders.map(({ userId }) => userId),
        holders.map(({ organizationId }) => organizationId),
        holders.map(({ switches }) => switches),
      ]),
    { readOnly: true },
  );
  const standing: (Standing | undefined)[] = holders.map(() => undefined);
  for (const { position, newest, unread_count, action_required_count } of found)
    standing[position - 1] = { newest, unread_count, action_required_count };
  return standing;
}
