import { keptRowsOf } from '../../database/keptRows.js';
import { lockRow } from '../../database/model/change.js';
import { enqueueing } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found, refuse } from '../../errors.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { settleApplication } from '../../../workflows/contracts/index.js';
import { intakeErrors } from '../errors.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { IS_SHUT } from './linkHolds.js';
import { lockApplication } from './lockApplication.js';
import { readStatus } from './readStatus.js';
import { takeBack } from './takeBack.js';

/**
 * Whoever sent it takes it back. Of what never proved its mailbox the link says so at once, and a process does the rest: what that
 * takes depends on whose address it is. Again changes nothing.
 * @param erase what was typed goes, too, and the person where nothing else here is about them
 * @throws Refusal not_found; application_closed of who has become a member
 */
export async function withdrawApplication(token: string, { erase }: { erase: boolean }): Promise<void> {
  const { id, application_id, is_shut } = found(
    await firstRow<{ id: string; application_id: string; is_shut: boolean }>(
      `SELECT v.id, v.application_id, ${IS_SHUT} AS is_shut FROM pnm_application_versions v
        WHERE v.organization_id = $1 AND v.token_hash = $2`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  const locked = is_shut ? null : await lockApplication(application_id);
  const version = locked && (await lockRow(ApplicationVersion, id));
  const { status } = await readStatus(token);
  if (status === 'replaced' || status === 'completed') throw intakeErrors.application_closed();
  if (locked && version) await takeBack(locked, version, { erase });
  else await askToLeave(id, erase);
}

/** In one message, which is the same for every address. Erased, its link opens nothing any more. */
async function askToLeave(versionId: string, erase: boolean): Promise<void> {
  const wants = erase ? 'erased' : 'withdrawn';
  const values = [currentOrganization(), versionId, erase ? hashToken(newToken()) : null];
  const { statement } = enqueueing(settleApplication, { versionId, wants });
  const [asked] = await keptRowsOf([
    { text: ASK_TO_LEAVE, values: [...values, wants] },
    { text: SHUT_DRAFT, values },
    statement,
  ]);
  // Its mail was answered at the same moment, or a later one's.
  if (asked?.length === 0) throw refuse.conflict();
}

const ASK_TO_LEAVE = `
  UPDATE pnm_application_versions v
     SET confirm_hash = NULL, token_hash = coalesce($3, token_hash), wants = $4, wanted_at = now()
   WHERE v.organization_id = $1 AND v.id = $2 AND v.state <> 'archived' AND ${IS_SHUT} RETURNING v.id`;
const SHUT_DRAFT = `
  UPDATE pnm_drafts SET token_hash = coalesce($3, token_hash) WHERE organization_id = $1 AND version_id = $2`;
