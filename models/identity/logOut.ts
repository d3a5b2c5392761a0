import { inPlatform } from '../database/tenancy.js';
import { verifyRestoreToken } from './impersonation/restoreToken.js';
import { revokeSession } from './revokeSessions.js';
import type { TokenClaims } from './tokens.js';

/**
 * Ends the sessions whose tokens were presented, usually one, in its own transaction. Logging out of an impersonation
 * also ends the admin's own session, which no client uses any longer.
 */
export async function logOut(presented: readonly TokenClaims[], restoreToken: string | null): Promise<void> {
  await inPlatform(async () => {
    for (const claims of presented) {
      await revokeSession(claims.sub, claims.sid, 'logged_out');
      const restore = verifyRestoreToken(restoreToken, claims);
      if (restore) await revokeSession(restore.actorId, restore.actorSessionId, 'logged_out');
    }
  });
}
