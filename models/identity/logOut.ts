import { inPlatform } from '../database/tenancy.js';
import { verifyRestoreToken } from './impersonation/restoreToken.js';
import { revokeSession } from './revokeSessions.js';
import type { TokenClaims } from './tokens.js';

/**
 * Ends the sessions whose tokens were shown: usually one. In a transaction of its own.
 * Whoever leaves an impersonation so leaves altogether: nobody holds the session behind it any more.
 */
export async function logOut(shown: readonly TokenClaims[], restoreToken: string | null): Promise<void> {
  await inPlatform(async () => {
    for (const claims of shown) {
      await revokeSession(claims.sub, claims.sid, 'logged_out');
      const restore = verifyRestoreToken(restoreToken, claims);
      if (restore) await revokeSession(restore.actorId, restore.actorSessionId, 'logged_out');
    }
  });
}
