/** Standing that is proven to others: given, taken back, and looked at by whoever has the code. */
import { createRow, editRow, lockRow, now } from '../../database/model/change.js';
import { loadIfThere, readRow, type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { readInPlatform } from '../../database/oneMessage.js';
import { found } from '../../errors.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { financesErrors } from '../errors.js';
import { GoodStandingProof } from './GoodStandingProof.js';
import { goodStanding } from './goodStanding.js';

export type ShownProof = ShownRow<typeof GoodStandingProof>;

/** What whoever has a code learns, and nothing else. */
export interface ProvenStanding {
  name: string;
  chapter_name: string;
  organization_name: string;
  was_good_on: string;
  good_until: string;
}

/** So many that can be seen at once, of one membership. */
const MOST_LIVE = 10;

/**
 * Proves that a member is in good standing today, for so many days from tomorrow on.
 * @returns the proof, and its code: 256 bits of which only a digest is kept
 * @throws Refusal not_found, not_in_good_standing, too_many_standing_proofs
 */
export async function giveProof(membershipId: string, days: number): Promise<{ proof: ShownProof; code: string }> {
  const member = found(await lockMember(membershipId));
  const standing = (await goodStanding([membershipId])).get(membershipId);
  if (!member.lets_in || standing !== 'good') throw financesErrors.not_in_good_standing();
  const { live, today, last } = await oneRow<{ live: number; today: string; last: string }>(
    `SELECT (SELECT count(*)::int FROM good_standing_proofs WHERE organization_id = $1 AND membership_id = $2
                AND revoked_at IS NULL AND good_until >= app.today()) AS live,
            app.today()::text AS today, (app.today() + $3::int)::text AS last`,
    [currentOrganization(), membershipId, days],
  );
  if (live >= MOST_LIVE) throw financesErrors.too_many_standing_proofs();
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

/** One proof of a membership after the other. */
const lockMember = (membershipId: string): Promise<{ chapter_id: string; lets_in: boolean } | null> =>
  firstRow(
    `SELECT chapter_id, app.gives_access(status) AS lets_in FROM memberships WHERE organization_id = $1 AND id = $2
        FOR NO KEY UPDATE`,
    [currentOrganization(), membershipId],
  );

/** A page of proofs, the newest first. */
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

/** Whose a proof is, or null. */
export const membershipOfProof = async (id: string): Promise<string | null> =>
  (await loadIfThere(GoodStandingProof, id))?.membership_id ?? null;

/** From now on nobody sees a proof, whoever has its code. Repeated, it changes nothing. @throws Refusal not_found */
export async function revokeProof(id: string): Promise<void> {
  const proof = await lockRow(GoodStandingProof, id);
  if (proof.revoked_at === null) await editRow(proof, { revoked_at: now });
}

/** What a code proves; unknown, expired and taken back are the same: nothing. Opens its own transaction, without a tenant. */
export async function readProven(code: string): Promise<ProvenStanding[]> {
  const statement = { text: PROVEN, values: [hashToken(code)], kept: true };
  return ((await readInPlatform(statement))?.['proven'] ?? []) as ProvenStanding[];
}

const PROVEN = `SELECT coalesce(json_agg(s), '[]') AS proven FROM app.standing_of_code($1) s`;
