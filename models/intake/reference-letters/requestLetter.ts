/** Requests letters about prospective members. */
import { z } from 'zod';
import { createRow, inSeconds } from '../../database/model/change.js';
import { createBody } from '../../database/model/schemas.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { intakeErrors } from '../errors.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { mailboxOf, mailboxSql } from './mailbox.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** The fields that describe a referee. */
export const RefereeFields = z
  .object(createBody(ReferenceLetter).shape)
  .pick({ name: true, email: true, relation: true });
export type Referee = z.output<typeof RefereeFields>;

const DAY_SECONDS = 86_400;
/** Maximum number of letters per profile, in any status. */
const MAX_LETTERS = 20;

/**
 * Requests a letter about the person whose locked profile is given. The background process of the letter then mails the
 * referee.
 * @param requestedBy null if the applicant names the referee
 * @returns the letter's id
 * @throws Refusal no_longer_needed once the application is decided, letter_requested, validation_error naming email
 */
export async function requestLetter(
  profile: PnmProfile,
  { name, email, relation }: Referee,
  requestedBy: string | null,
): Promise<string> {
  if (profile.stage !== 'not_started') throw intakeErrors.no_longer_needed('The application was already decided.');
  if (await isApplicantMailbox(profile.membership_id, email))
    throw invalid('email', 'This address belongs to the applicant. Name another person’s address.');
  const { asked, is_asked } = await oneRow<{ asked: number; is_asked: boolean }>(
    `SELECT count(*)::int AS asked,
            count(*) FILTER (WHERE status IN ('requested', 'submitted') AND ${mailboxSql('email')} = $3) > 0 AS is_asked
       FROM pnm_reference_letters WHERE organization_id = $1 AND profile_id = $2`,
    [currentOrganization(), profile.id, mailboxOf(email)],
  );
  if (is_asked) throw intakeErrors.letter_requested();
  if (asked >= MAX_LETTERS) throw intakeErrors.referees_complete();
  const { reference_letter_days } = await readApplicationConfig();
  const letter = await createRow(ReferenceLetter, {
    profile_id: profile.id,
    name,
    email,
    relation: relation ?? null,
    requested_by: requestedBy,
    expires_at: inSeconds(reference_letter_days * DAY_SECONDS),
  });
  await dispatchTriggered([`reference-letter/${letter.id}`]);
  return letter.id;
}

/**
 * Reports whether the address is a mailbox of the applicant: an address of their account, or of one of their
 * applications.
 */
const isApplicantMailbox = async (membershipId: string, email: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND m.id = $2 AND ($3 IN (${mailboxSql('lower(u.email)')}, ${mailboxSql('lower(u.typed_email)')})
        OR EXISTS (SELECT FROM user_emails e WHERE e.user_id = u.id AND ${mailboxSql('e.email')} = $3 AND e.is_verified)
        OR EXISTS (SELECT FROM pnm_profiles p JOIN pnm_applications a ON a.organization_id = $1 AND a.profile_id = p.id
                    WHERE p.organization_id = $1 AND p.membership_id = m.id AND ${mailboxSql('a.email')} = $3))`,
    [currentOrganization(), membershipId, mailboxOf(email)],
  )) !== null;
