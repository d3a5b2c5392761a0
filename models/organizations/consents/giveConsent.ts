import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { organizationsErrors } from '../errors.js';
import { type OwnConsentText, readOwnConsent } from './ownConsents.js';

export interface Given {
  /** The published version that was read, and the digest of its text. */
  version: number;
  text_hash: string;
  typed_name?: string | undefined;
}

/**
 * Writes down that somebody agrees to what they read. Again changes nothing.
 * @throws Refusal not_found of what is not asked of them, consent_version_stale, validation_error
 */
export async function giveConsent(userId: string, templateId: string, read: Given): Promise<void> {
  await lockPerson(userId);
  const own = await readOwnConsent(userId, templateId);
  if (!own?.is_asked) found(null);
  const { version, text_hash, method, is_due } = own as OwnConsentText;
  if (read.version !== version || read.text_hash !== text_hash) throw organizationsErrors.consent_version_stale();
  if ((method === 'typed_name') !== (read.typed_name !== undefined))
    throw invalid('typed_name', method === 'click' ? 'This consent is given by a click.' : 'Type your name.');
  if (is_due) await record(userId, templateId, { ...read, kind: 'given' });
}

/**
 * Takes back what was given, be it asked or not any more. A record of its own: what was given stays on record.
 * @throws Refusal not_found, consent_not_given
 */
export async function withdrawConsent(userId: string, templateId: string): Promise<void> {
  await lockPerson(userId);
  const { given } = found(await readOwnConsent(userId, templateId));
  if (!given) throw organizationsErrors.consent_not_given();
  const { version, text_hash } = given;
  await record(userId, templateId, { version, text_hash, kind: 'withdrawn' });
}

async function record(
  userId: string,
  templateId: string,
  { version, text_hash, typed_name, kind }: Given & { kind: 'given' | 'withdrawn' },
): Promise<void> {
  const { requestId, ipAddress } = currentScope().origin;
  await rows(
    `WITH made AS (
       INSERT INTO consent_records (organization_id, template_id, version, text_hash, user_id, kind, ordinal, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7) RETURNING organization_id, id, user_id)
     INSERT INTO consent_record_values (organization_id, record_id, user_id, typed_name, ip_address)
     SELECT organization_id, id, user_id, $8, $9 FROM made`,
    [
      currentOrganization(),
      templateId,
      version,
      text_hash,
      userId,
      kind,
      requestId,
      typed_name ?? null,
      ipAddress?.slice(0, 60) ?? null,
    ],
  );
  const after = { version, text_hash };
  await audit({
    action: `consent.${kind}`,
    subjectType: 'consent_template',
    subjectId: templateId,
    person: { userId },
    after,
  });
}
