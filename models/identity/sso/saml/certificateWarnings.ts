/** Warns admins that a certificate of their identity provider expires. Call it inside `inTenant`. */
import { currentOrganization, rows } from '../../../database/rows.js';
import { enqueueNoticeToAdmins } from '../../notices/enqueueNoticeToAdmins.js';

export interface ExpiringCertificate {
  configurationId: string;
  /** Name of the identity provider, as shown on the sign-in button. */
  provider: string;
  fingerprint: string;
  endsAt: Date;
}

const DAY_MS = 86_400_000;

/**
 * Warns the admins twice at most: once when the certificate expires within 30 days, and once when it expires within 7
 * days.
 * @returns whether this call enqueued the warning
 */
export async function warnOfExpiry(ending: ExpiringCertificate, nowMs: number): Promise<boolean> {
  const remainingMs = ending.endsAt.getTime() - nowMs;
  if (remainingMs <= 0 || remainingMs > 30 * DAY_MS) return false;
  const days = remainingMs > 7 * DAY_MS ? 30 : 7;
  const insertedWarnings = await rows(
    `INSERT INTO saml_certificate_warnings (organization_id, configuration_id, fingerprint, days) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT saml_certificate_warnings_unique DO NOTHING RETURNING id`,
    [currentOrganization(), ending.configurationId, ending.fingerprint, days],
  );
  if (insertedWarnings.length === 0) return false;
  const { provider, fingerprint, endsAt } = ending;
  await enqueueNoticeToAdmins('certificate_ending', {
    provider,
    certificate: fingerprint,
    until: endsAt.toISOString(),
  });
  return true;
}
