/** Creates, revokes and reads proofs of good standing. */
import { createRow, editRow, lockForEdit, now } from '../../database/model/change.js';
import { loadIfExists, readRow, type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { readPlatformRow } from '../../database/pipelinedTransaction.js';
import { requireFound } from '../../errors.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { financesErrors } from '../errors.js';
import { GoodStandingProof } from './GoodStandingProof.js';
import { readDuesStandings } from './goodStanding.js';

export type ShownProof = ShownRow<typeof GoodStandingProof>;

/** The data that a code reveals. */
export interface ProvenStanding {
  name: string;
  chapter_name: string;
  organization_name: string;
  was_good_on: string;
  good_until: string;
}

/** Maximum active proofs of one membership. */
const MAX_ACTIVE_PROOFS = 10;

/**
 * Creates a proof that a member is in good standing today, valid for this many days after today.
 * @returns the proof and its code: 256 random bits, stored only as a digest
 * @throws Refusal not_found, not_in_good_standing, too_many_standing_proofs
 */
export async function createProof(membershipId: string, days: number): Promise<{ proof: ShownProof; code: string }> {
  const member = requireFound(await lockMember(membershipId));
  const standing = (await readDuesStandings([membershipId])).get(membershipId);
  if (!member.lets_in || standing !== 'good') throw financesErrors.not_in_good_standing();
  const { live, today, last } = await oneRow<{ live: number; today: string; last: string }>(
    `SELECT (SELECT count(*)::int FROM good_standing_proofs WHERE organization_id = $1 AND membership_id = $2
                AND revoked_at IS NULL AND good_until >= app.today()) AS live,
            app.today()::text AS today, (app.today() + $3::int)::text AS last`,
    [currentOrganization(), membershipId, days],
  );
  if (live >= MAX_ACTIVE_PROOFS) throw financesErrors.too_many_standing_proofs();
  const code = newToken();
  const { id } = await createRow(GoodStandingProof, {
    chapter_id: member.chapter_id,
    membership_id: membershipId,
    code_hash: hashToken(code),
    was_good_on: today,
    good_until: last,
  });
  return { proof: await readRow(GoodStandingProof, id), code };
}

/** Locks the membership, so that proofs of one membership are created one at a time. */
const lockMember = (membershipId: string): Promise<{ chapter_id: string; lets_in: boolean } | null> =>
  firstRow(
    `SELECT chapter_id, app.gives_access(status) AS lets_in FROM memberships WHERE organization_id = $1 AND id = $2
        FOR NO KEY UPDATE`,
    [currentOrganization(), membershipId],
  );

/** Lists proofs, newest first. */
export const listProofs = (memberships: readonly string[], page: PageRequest): Promise<Page<ShownProof>> =>
  selectPage<ShownProof>({
    ...page,
    from: 'good_standing_proofs good_standing_proofs',
    where:
      'good_standing_proofs.organization_id = (SELECT app.org_id()) AND good_standing_proofs.membership_id = ANY($1::uuid[])',
    values: [memberships],
    orderBy: 'good_standing_proofs.id DESC',
    key: 'good_standing_proofs.id',
    select: shownSql(GoodStandingProof),
  });

/** Returns the membership of a proof, or null. */
export const findProofMembership = async (id: string): Promise<string | null> =>
  (await loadIfExists(GoodStandingProof, id))?.membership_id ?? null;

/** Revokes a proof, so that its code shows nothing. Repeated, it changes nothing. @throws Refusal not_found */
export async function revokeProof(id: string): Promise<void> {
  const proof = await lockForEdit(GoodStandingProof, id);
  if (proof.revoked_at === null) await editRow(proof, { revoked_at: now });
}

/**
 * Reads what a code proves; nothing for an unknown, expired or revoked code. Opens its own transaction, without a
 * tenant.
 */
export async function readProvenStanding(code: string): Promise<ProvenStanding[]> {
  const statement = { text: PROVEN_SQL, values: [hashToken(code)], prepared: true };
  return ((await readPlatformRow(statement))?.['proven'] ?? []) as ProvenStanding[];
}

const PROVEN_SQL = `SELECT coalesce(json_agg(s), '[]') AS proven FROM app.standing_of_code($1) s`;
