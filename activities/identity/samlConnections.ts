/** Steps of the daily check of SAML connections. A step may run twice; it leaves a correct connection unchanged. */
import { describeCertificate } from '../../gateways/saml/certificate.js';
import { tryMetadata } from '../../gateways/saml/fetchMetadata.js';
import { databaseNow } from '../../models/database/clock.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { warnOfExpiry } from '../../models/identity/sso/saml/certificateWarnings.js';
import {
  type SamlConnectionBatch,
  type SamlConnectionRef,
  listSamlConnectionsToCheck,
} from '../../models/identity/sso/saml/connectionsToCheck.js';
import { deleteRetiredKeys } from '../../models/identity/sso/saml/encryptionKeys.js';
import { storeRefreshResult } from '../../models/identity/sso/saml/metadataRefresh.js';
import {
  readSamlConfiguration,
  type ShownSamlConfiguration,
} from '../../models/identity/sso/saml/samlConfigurations.js';

/** Returns the next batch of SAML connections, after the cursor `after`. */
export const listSamlConnections = (after: string | null): Promise<SamlConnectionBatch> =>
  listSamlConnectionsToCheck(after);

/**
 * Updates the connection from its metadata URL, deletes expired keys of this platform, and warns of expiring
 * certificates. Does nothing for a deleted connection.
 */
export const checkSamlConnection = async ({ organizationId, configurationId }: SamlConnectionRef): Promise<void> => {
  try {
    const { metadata_url: url } = await configurationOf(organizationId, configurationId);
    if (url !== null) {
      const answer = await tryMetadata(url, databaseNow());
      await inTenant(organizationId, () => storeRefreshResult(configurationId, url, answer));
    }
    await inTenant(organizationId, () => deleteRetiredKeys(configurationId));
    await warnOfExpiringCertificates(organizationId, await configurationOf(organizationId, configurationId));
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
  }
};

const configurationOf = (organizationId: string, id: string): Promise<ShownSamlConfiguration> =>
  inTenant(organizationId, () => readSamlConfiguration(id), { readOnly: true });

async function warnOfExpiringCertificates(
  organizationId: string,
  configuration: ShownSamlConfiguration,
): Promise<void> {
  const { id: configurationId, name: provider, certificate, next_certificate, third_certificate } = configuration;
  for (const pem of [certificate, next_certificate, third_certificate]) {
    if (pem === null) continue;
    const { fingerprint_sha256: fingerprint, expires_at } = describeCertificate(pem);
    const expiry = { configurationId, provider, fingerprint, endsAt: new Date(expires_at) };
    await inTenant(organizationId, () => warnOfExpiry(expiry, databaseNow()));
  }
}
