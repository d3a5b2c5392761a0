/** The two sides of a SAML connection, as an address names it. */
import { config } from '../../../../config.js';
import { databaseNow } from '../../../../models/database/clock.js';
import { inPlatform, inTenant } from '../../../../models/database/tenancy.js';
import { refuse } from '../../../../models/errors.js';
import { findConnection, type ActiveConnection } from '../../../../models/identity/sso/connections.js';
import { decryptionKeysOf } from '../../../../models/identity/sso/saml/encryptionKeys.js';
import {
  readSamlConfiguration,
  type ShownSamlConfiguration,
  samlPrivateKey,
} from '../../../../models/identity/sso/saml/samlConfigurations.js';
import type { Expected } from '../../../../gateways/saml/readResponse.js';

const base = (slug: string): string => `${config.backendUrl}/api/auth/sso/saml/${slug}`;

/** Our addresses for a connection; the address of the metadata is our entity id. */
export const addressesOf = (slug: string) => ({
  entityId: `${base(slug)}/metadata/`,
  acsUrl: `${base(slug)}/acs/`,
  slsUrl: `${base(slug)}/sls/`,
});

export interface Party {
  connection: ActiveConnection;
  configuration: ShownSamlConfiguration;
  /** PEM; opened only where something is signed. */
  privateKey: string;
  /** PEM, the newest first: for what is encrypted for us. */
  decryptionKeys: string[];
}

/** An active connection of an active organization. @throws Refusal not_found */
export async function partyOf(slug: string): Promise<Party> {
  const connection = await inPlatform(() => findConnection('saml', slug), { readOnly: true });
  if (!connection) throw refuse.not_found();
  const { id, organization_id } = connection;
  return inTenant(
    organization_id,
    async () => ({
      connection,
      configuration: await readSamlConfiguration(id),
      privateKey: await samlPrivateKey(id),
      decryptionKeys: await decryptionKeysOf(id),
    }),
    { readOnly: true },
  );
}

/** The certificates that the identity provider may sign with now. */
export const certificatesOf = (configuration: ShownSamlConfiguration): string[] =>
  [configuration.certificate, configuration.next_certificate, configuration.third_certificate].filter(
    (pem) => pem !== null,
  );

/** What a response to us has to be. Times go by the database's clock. */
export function expectedOf(configuration: ShownSamlConfiguration, decryptionKeys: string[]): Expected {
  const { entityId, acsUrl } = addressesOf(configuration.slug);
  const certificates = certificatesOf(configuration);
  const audience = entityId;
  const { idp_entity_id: idpEntityId } = configuration;
  return { idpEntityId, certificates, decryptionKeys, audience, acsUrl, nowMs: databaseNow() };
}

/** The head of a message that we send. */
export const envelopeOf = ({ slug }: ShownSamlConfiguration, id: string, destination: string) => ({
  id,
  destination,
  issuer: addressesOf(slug).entityId,
  nowMs: databaseNow(),
});
