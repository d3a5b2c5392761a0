import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { organizationsErrors } from '../errors.js';
import { type OwnConsentText, readOwnConsent } from './ownConsents.js';

export interface GivenConsent {
  /**
   * Version number of the text that the person read. It and the text's digest must be those of the currently published
   * version.
   */
  version: number;
  text_hash: string;
  typed_name?: string | undefined;
}

/**
 * Records that a person agrees to the text they read. Repeating it changes nothing.
 * @throws Refusal not_found if the person is not asked for this consent, consent_version_stale, validation_error
 */
export async function giveConsent(userId: string, templateId: string, input: GivenConsent): Promise<void> {
  await lockPerson(userId);
  const consent = await readOwnConsent(userId, templateId);
  if (!consent?.is_asked) requireFound(null);
  const { version, text_hash, method, is_due } = consent as OwnConsentText;
  if (input.version !== version || input.text_hash !== text_hash) throw organizationsErrors.consent_version_stale();
  if ((method === 'typed_name') !== (input.typed_name !== undefined))
    throw invalid('typed_name', method === 'click' ? 'This consent needs no typed name.' : 'Type your name.');
  if (is_due) await writeRecord(userId, templateId, { ...input, kind: 'given' });
}

/**
 * Withdraws a consent, whether or not it is still asked for. The withdrawal is a record of its own; the earlier record
 * stays.
 * @throws Refusal not_found, consent_not_given
 */
export async function withdrawConsent(userId: string, templateId: string): Promise<void> {
  await lockPerson(userId);
  const { given } = requireFound(await readOwnConsent(userId, templateId));
  if (!given) throw organizationsErrors.consent_not_given();
  const { version, text_hash } = given;
  await writeRecord(userId, templateId, { version, text_hash, kind: 'withdrawn' });
}

async function writeRecord(
  userId: string,
  templateId: string,
  { version, text_hash, typed_name, kind }: GivenConsent & { kind: 'given' | 'withdrawn' },
): Promise<void> {
  const { requestId, ipAddress } = currentScope().origin;
  await rows(
    `WITH inserted AS (
       INSERT INTO consent_records (organization_id, template_id, version, text_hash, user_id, kind, ordinal, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7) RETURNING organization_id, id, user_id)
     INSERT INTO consent_record_values (organization_id, record_id, user_id, typed_name, ip_address)
     SELECT organization_id, id, user_id, $8, $9 FROM inserted`,
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
