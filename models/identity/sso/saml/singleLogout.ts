/** Single logout: which sessions a name at the identity provider stands for, and the other way round. Inside of `inTenant`. */
import { currentOrganization, firstRow, rows } from '../../../database/rows.js';
import { recordSecurityEvent } from '../../securityEvents.js';

/** A person's name at the identity provider, as it was received. */
export interface NamedSignIn {
  subject: string;
  nameId: { value: string; format: string | null; qualifiers: Readonly<Record<string, string>> };
  sessionIndex: string | null;
}

/** Keeps what a later logout has to name. */
export async function rememberSignIn(
  configurationId: string,
  { subject, nameId, sessionIndex }: NamedSignIn,
): Promise<void> {
  const { value, ...attributes } = nameId;
  await rows(
    `INSERT INTO saml_sign_ins (organization_id, configuration_id, subject, name_id, name_id_attributes, session_index)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT saml_sign_ins_unique DO UPDATE
       SET name_id = $4, name_id_attributes = $5, session_index = $6, signed_in_at = now()`,
    [currentOrganization(), configurationId, subject, value, JSON.stringify(attributes), sessionIndex],
  );
}

/** The last sign-in of a person by any SAML configuration of the tenant, or null. */
export async function lastSignIn(userId: string): Promise<(NamedSignIn & { configurationId: string }) | null> {
  const found = await firstRow<{
    configuration_id: string;
    subject: string;
    name_id: string;
    name_id_attributes: Omit<NamedSignIn['nameId'], 'value'>;
    session_index: string | null;
  }>(
    `SELECT n.configuration_id, n.subject, n.name_id, n.name_id_attributes, n.session_index
       FROM sso_identities i JOIN saml_sign_ins n
         ON n.organization_id = i.organization_id AND n.configuration_id = i.connection_id AND n.subject = i.subject
      WHERE i.organization_id = $1 AND i.user_id = $2 ORDER BY n.signed_in_at DESC LIMIT 1`,
    [currentOrganization(), userId],
  );
  if (!found) return null;
  return {
    configurationId: found.configuration_id,
    subject: found.subject,
    nameId: { value: found.name_id, ...found.name_id_attributes },
    sessionIndex: found.session_index,
  };
}

/**
 * Ends the sessions that this configuration's provider opened for whom it calls by this name: those of SAML in the
 * tenant. What the person opened with a password or passkey, or elsewhere, is not the provider's to end.
 * @returns how many ended
 */
export async function endSessionsOf(configurationId: string, nameId: string): Promise<number> {
  const ended = await rows<{ id: string; user_id: string }>(
    `UPDATE sessions s SET revoked_at = now(), revoked_reason = 'identity_provider'
       FROM sso_identities i JOIN saml_sign_ins n
         ON n.organization_id = i.organization_id AND n.configuration_id = i.connection_id AND n.subject = i.subject
      WHERE i.organization_id = $1 AND i.connection_id = $2 AND n.name_id = $3
        AND s.user_id = i.user_id AND s.organization_id = $1 AND s.auth_method = 'saml' AND s.confined
        AND s.revoked_at IS NULL AND s.expires_at > now()
      RETURNING s.id, s.user_id`,
    [currentOrganization(), configurationId, nameId],
  );
  for (const { id, user_id: userId } of ended) {
    await recordSecurityEvent({
      userId,
      kind: 'session.ended_by_provider',
      sessionId: id,
      details: { connection: configurationId },
    });
  }
  return ended.length;
}
