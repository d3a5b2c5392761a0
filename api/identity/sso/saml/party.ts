/** The two sides of a SAML connection, loaded by the slug in an address. */
import { config } from '../../../../config.js';
import { databaseNow } from '../../../../models/database/clock.js';
import { inPlatform, inTenant } from '../../../../models/database/tenancy.js';
import { refuse } from '../../../../models/errors.js';
import { findConnection, type ActiveConnection } from '../../../../models/identity/sso/connections.js';
import { readDecryptionKeys } from '../../../../models/identity/sso/saml/encryptionKeys.js';
import {
  readSamlConfiguration,
  type ShownSamlConfiguration,
  readSamlPrivateKey,
} from '../../../../models/identity/sso/saml/samlConfigurations.js';
import type { Expected } from '../../../../gateways/saml/readResponse.js';

const base = (slug: string): string => `${config.backendUrl}/api/auth/sso/saml/${slug}`;

/** Returns our addresses for a connection. The address of the metadata is our entity id. */
export const addressesOf = (slug: string) => ({
  entityId: `${base(slug)}/metadata/`,
  acsUrl: `${base(slug)}/acs/`,
  slsUrl: `${base(slug)}/sls/`,
});

export interface SamlParty {
  connection: ActiveConnection;
  configuration: ShownSamlConfiguration;
  /** Our private key for signing, PEM. */
  privateKey: string;
  /** Our private keys for decrypting assertions, PEM, the newest first. */
  decryptionKeys: string[];
}

/**
 * Loads an active connection of an active organization.
 * @throws Refusal not_found
 */
export async function loadParty(slug: string): Promise<SamlParty> {
  const connection = await inPlatform(() => findConnection('saml', slug), { readOnly: true });
  if (!connection) throw refuse.not_found();
  const { id, organization_id } = connection;
  return inTenant(
    organization_id,
    async () => ({
      connection,
      configuration: await readSamlConfiguration(id),
      privateKey: await readSamlPrivateKey(id),
      decryptionKeys: await readDecryptionKeys(id),
    }),
    { readOnly: true },
  );
}

/** Returns the certificates that the identity provider may sign with now. */
export const certificatesOf = (configuration: ShownSamlConfiguration): string[] =>
  [configuration.certificate, configuration.next_certificate, configuration.third_certificate].filter(
    (pem) => pem !== null,
  );

/** Returns the expectations that a response to us must meet. Times are those of the database's clock. */
export function expectedOf(configuration: ShownSamlConfiguration, decryptionKeys: string[]): Expected {
  const { entityId, acsUrl } = addressesOf(configuration.slug);
  const certificates = certificatesOf(configuration);
  const audience = entityId;
  const { idp_entity_id: idpEntityId } = configuration;
  return { idpEntityId, certificates, decryptionKeys, audience, acsUrl, nowMs: databaseNow() };
}

/** Returns the common header fields of a message that we send. */
export const envelopeOf = ({ slug }: ShownSamlConfiguration, id: string, destination: string) => ({
  id,
  destination,
  issuer: addressesOf(slug).entityId,
  nowMs: databaseNow(),
});
