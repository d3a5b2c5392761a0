/** Steps of the daily check of SAML connections. Each may run twice; a connection in order stays unchanged. */
import { describeCertificate } from '../../gateways/saml/certificate.js';
import { tryMetadata } from '../../gateways/saml/fetchMetadata.js';
import { databaseNow } from '../../models/database/clock.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { warnOfEnd } from '../../models/identity/sso/saml/certificateWarnings.js';
import {
  type SamlConnectionPage,
  type SamlConnectionRef,
  samlConnectionsToCheck,
} from '../../models/identity/sso/saml/connectionsToCheck.js';
import { dropRetiredKeys } from '../../models/identity/sso/saml/encryptionKeys.js';
import { keepAsked } from '../../models/identity/sso/saml/metadataRefresh.js';
import {
  readSamlConfiguration,
  type ShownSamlConfiguration,
} from '../../models/identity/sso/saml/samlConfigurations.js';

/** SAML connections after `after`. */
export const listSamlConnections = (after: string | null): Promise<SamlConnectionPage> => samlConnectionsToCheck(after);

/**
 * Updates the connection from its metadata address, deletes our expired keys, and warns of expiring certificates.
 * Does nothing for a removed connection.
 */
export const checkSamlConnection = async ({ organizationId, configurationId }: SamlConnectionRef): Promise<void> => {
  try {
    const { metadata_url: url } = await configurationOf(organizationId, configurationId);
    if (url !== null) {
      const answer = await tryMetadata(url, databaseNow());
      await inTenant(organizationId, () => keepAsked(configurationId, url, answer));
    }
    await inTenant(organizationId, () => dropRetiredKeys(configurationId));
    await warn(organizationId, await configurationOf(organizationId, configurationId));
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
  }
};

const configurationOf = (organizationId: string, id: string): Promise<ShownSamlConfiguration> =>
  inTenant(organizationId, () => readSamlConfiguration(id), { readOnly: true });

async function warn(organizationId: string, configuration: ShownSamlConfiguration): Promise<void> {
  const { id: configurationId, name: provider, certificate, next_certificate, third_certificate } = configuration;
  for (const pem of [certificate, next_certificate, third_certificate]) {
    if (pem === null) continue;
    const { fingerprint_sha256: fingerprint, expires_at } = describeCertificate(pem);
    const ending = { configurationId, provider, fingerprint, endsAt: new Date(expires_at) };
    await inTenant(organizationId, () => warnOfEnd(ending, databaseNow()));
  }
}
