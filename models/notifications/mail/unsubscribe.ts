import { firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { isErased } from '../../identity/deletion/erased.js';
import { muteSubject } from '../mutes.js';
import { saveDigestPreference } from '../digests/saveDigestPreference.js';
import { savePreferences } from '../preferences.js';
import type { Unsubscribe } from './unsubscribeTokens.js';

/** Returns the name of the organization of an unsubscribe link; null if the organization was deleted. */
export const organizationNameOf = ({ organizationId }: Unsubscribe): Promise<string | null> =>
  inTenant(
    organizationId,
    async () =>
      (await firstRow<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [organizationId]))?.name ??
      null,
    { readOnly: true },
  );

/** Ends one kind of mail to a person. May be repeated. Does nothing for an erased person, who gets no mail anyway. */
export const unsubscribe = ({ organizationId, userId, scope }: Unsubscribe): Promise<void> =>
  inTenant(organizationId, async () => {
    if (!(await firstRow(`SELECT FROM users u WHERE u.id = $1 AND NOT ${isErased('u')} FOR KEY SHARE`, [userId])))
      return;
    if ('events' in scope)
      await savePreferences(
        userId,
        scope.events.map((event) => ({ event_type: event, email_enabled: false })),
      );
    else if ('conversation' in scope) await muteSubject(userId, scope.conversation);
    else await saveDigestPreference(userId, { frequency: null });
  });
