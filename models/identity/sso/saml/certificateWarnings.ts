/** Tells admins that a certificate of their identity provider ends. Inside of `inTenant`. */
import { currentOrganization, rows } from '../../../database/rows.js';
import { noticeAdmins } from '../../notices/noticeAdmins.js';

export interface EndingCertificate {
  configurationId: string;
  /** What the sign-in button says. */
  provider: string;
  fingerprint: string;
  endsAt: Date;
}

const DAY_MS = 86_400_000;

/** Once 30 days before, and once 7 days before. @returns whether this call told them */
export async function warnOfEnd(ending: EndingCertificate, nowMs: number): Promise<boolean> {
  const left = ending.endsAt.getTime() - nowMs;
  if (left <= 0 || left > 30 * DAY_MS) return false;
  const days = left > 7 * DAY_MS ? 30 : 7;
  const claimed = await rows(
    `INSERT INTO saml_certificate_warnings (organization_id, configuration_id, fingerprint, days) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT saml_certificate_warnings_unique DO NOTHING RETURNING id`,
    [currentOrganization(), ending.configurationId, ending.fingerprint, days],
  );
  if (claimed.length === 0) return false;
  const { provider, fingerprint, endsAt } = ending;
  await noticeAdmins('certificate_ending', { provider, certificate: fingerprint, until: endsAt.toISOString() });
  return true;
}
