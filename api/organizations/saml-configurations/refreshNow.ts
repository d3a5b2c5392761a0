import { tryMetadata } from '../../../gateways/saml/fetchMetadata.js';
import { databaseNow } from '../../../models/database/clock.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { storeRefreshResult } from '../../../models/identity/sso/saml/metadataRefresh.js';
import {
  readSamlConfiguration,
  type ShownSamlConfiguration,
} from '../../../models/identity/sso/saml/samlConfigurations.js';

/**
 * Refreshes a connection from its metadata URL at an admin's request, like the daily check. Call it outside of any
 * transaction.
 * @throws Refusal not_found
 */
export async function refreshNow(
  id: string,
  url: string,
  actor: Actor,
  origin: Origin,
): Promise<ShownSamlConfiguration> {
  const answer = await tryMetadata(url, databaseNow());
  return inTenant(
    actor.organizationId,
    async () => {
      await storeRefreshResult(id, url, answer);
      return readSamlConfiguration(id);
    },
    { origin },
  );
}
