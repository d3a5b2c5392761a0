/** Writes an import's changes of memberships, many at a time. */
import { currentScope } from '../../database/connection.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { upsertPlaceholders } from '../../identity/placeholders.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { countAccountsInTenant } from '../invitations/findPerson.js';
import { MEMBERSHIP_FIELDS } from './fields.js';
import type { Line } from './lines.js';

/** The result of a line. */
export interface LineResult {
  id: string;
  result: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed' | 'undone' | 'kept';
  /** Code of the reason for the result; null if there is none. */
  why: string | null;
  membership_id: string | null;
  before: Record<string, unknown> | null;
  /** Earlier values of the person's fields. */
  person_before?: Record<string, unknown> | null;
  /**
   * Fields that were skipped in addition to those that the preview showed as skipped, each with a code for the reason.
   */
  fields_left?: Record<string, string>;
}

export interface Edit {
  id: string;
  fields: Record<string, unknown>;
}

/**
 * Returns the person of each new line: the account, if it has or had a membership or office in this organization;
 * otherwise the placeholder that the organization has for the address.
 * @throws Refusal conflict when an invitation to one of the addresses was accepted at the same moment
 */
export async function findOrCreatePeople(lines: readonly Line[]): Promise<Map<string, string>> {
  const newLines = lines.filter(({ account_id }) => account_id === null);
  const placeholders = await upsertPlaceholders(
    newLines.map(({ given: { email, first_name, last_name } }) => ({
      email: String(email),
      first_name: String(first_name),
      last_name: String(last_name),
    })),
  );
  // The insert of placeholders waits for invitations that are being accepted at the same moment. An acceptance may have
  // created an account, so the accounts are counted again.
  if ((await countAccountsInTenant([...placeholders.keys()])) > 0)
    throw refuse.conflict(
      'Nothing was changed, because a person in this list accepted an invitation at the same time. Try again.',
    );
  return new Map(
    lines.map(({ id, account_id, email }) => [id, account_id ?? (placeholders.get(email as string) as string)]),
  );
}

const INVITATION_LIFETIME = "interval '30 days'";

/** Creates open invitations without sending mail. The people are notified when an admin asks for it. */
export async function inviteSilently(people: { user_id: string; membership_id: string }[]): Promise<void> {
  if (people.length === 0) return;
  // Each token is random and never sent; the mail's token replaces it later.
  const invited = people.map((person) => ({ ...person, token_hash: hashToken(newToken()) }));
  await rows(
    `INSERT INTO invitations (organization_id, user_id, membership_id, token_hash, expires_at, invited_by)
     SELECT $1, p.user_id, p.membership_id, p.token_hash, now() + ${INVITATION_LIFETIME}, $3
       FROM jsonb_to_recordset($2) AS p (user_id uuid, membership_id uuid, token_hash text)`,
    [currentOrganization(), JSON.stringify(invited), currentScope().origin.userId],
  );
}

const NAMES = MEMBERSHIP_FIELDS.join(', ');

/** Sets fields of locked memberships; each membership can get different fields. */
export async function editMemberships(edits: readonly Edit[]): Promise<void> {
  if (edits.length === 0) return;
  await rows(
    `UPDATE memberships m SET (${NAMES}) = (SELECT ${NAMES} FROM jsonb_populate_record(m, e.fields))
       FROM jsonb_to_recordset($2) AS e (id uuid, fields jsonb) WHERE m.organization_id = $1 AND m.id = e.id`,
    [currentOrganization(), JSON.stringify(edits)],
  );
}

/** Records the results of lines, with the present version of their memberships. */
export const recordResults = (importId: string, results: readonly LineResult[]): Promise<unknown> =>
  rows(
    `UPDATE bulk_import_rows r SET result = d.result, why = d.why, done_at = now(), before = coalesce(d.before, r.before),
            person_before = coalesce(d.person_before, r.person_before), fields_left = r.fields_left || coalesce(d.fields_left, '{}'),
            membership_id = coalesce(d.membership_id, r.membership_id),
            made_version = CASE WHEN d.result IN ('created', 'updated') THEN m.version ELSE r.made_version END
       FROM jsonb_to_recordset($3) AS d (id uuid, result text, why text, membership_id uuid, before jsonb,
              person_before jsonb, fields_left jsonb)
       LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = d.membership_id
      WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = d.id`,
    [
      currentOrganization(),
      importId,
      JSON.stringify(
        results.map(({ id, result, why, membership_id, before, person_before, fields_left }) => ({
          id,
          result,
          why,
          membership_id,
          before,
          person_before,
          fields_left,
        })),
      ),
    ],
  );
