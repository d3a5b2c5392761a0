import { pipelinePrepared } from '../../database/preparedQuery.js';
import { lockForEdit } from '../../database/model/change.js';
import { enqueueStatement } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound, refuse } from '../../errors.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { settleApplication } from '../../../workflows/contracts/index.js';
import { intakeErrors } from '../errors.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { IS_RESTRICTED } from './linkAccess.js';
import { lockApplication } from './lockApplication.js';
import { readStatus } from './readStatus.js';
import { withdrawVersion } from './withdrawVersion.js';

/**
 * Withdraws an application by its link. For a version whose mailbox was never confirmed, the request only records the
 * withdrawal; a process does the rest, because its duration depends on whether the address is known. A repeated call
 * changes nothing.
 * @param erase also deletes the contents, and the person if no other data refers to them
 * @throws Refusal not_found; application_closed if a later version has replaced this one or the person has become a
 * member
 */
export async function withdrawApplication(token: string, { erase }: { erase: boolean }): Promise<void> {
  const { id, application_id, is_shut } = requireFound(
    await firstRow<{ id: string; application_id: string; is_shut: boolean }>(
      `SELECT v.id, v.application_id, ${IS_RESTRICTED} AS is_shut FROM pnm_application_versions v
        WHERE v.organization_id = $1 AND v.token_hash = $2`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  const locked = is_shut ? null : await lockApplication(application_id);
  const version = locked && (await lockForEdit(ApplicationVersion, id));
  const { status } = await readStatus(token);
  if (status === 'replaced' || status === 'completed') throw intakeErrors.application_closed();
  if (locked && version) await withdrawVersion(locked, version, { erase });
  else await requestWithdrawal(id, erase);
}

/**
 * Records the withdrawal in one round trip, which is the same for every address. If the contents are to be erased, the
 * link stops working.
 */
async function requestWithdrawal(versionId: string, erase: boolean): Promise<void> {
  const wants = erase ? 'erased' : 'withdrawn';
  const values = [currentOrganization(), versionId, erase ? hashToken(newToken()) : null];
  const { statement } = enqueueStatement(settleApplication, { versionId, wants });
  const [updated] = await pipelinePrepared([
    { text: REQUEST_WITHDRAWAL, values: [...values, wants] },
    { text: UPDATE_DRAFT_TOKEN, values },
    statement,
  ]);
  // The mailbox of this version, or of a later one, was confirmed at the same moment.
  if (updated?.length === 0) throw refuse.conflict();
}

const REQUEST_WITHDRAWAL = `
  UPDATE pnm_application_versions v
     SET confirm_hash = NULL, token_hash = coalesce($3, token_hash), wants = $4, wanted_at = now()
   WHERE v.organization_id = $1 AND v.id = $2 AND v.state <> 'archived' AND ${IS_RESTRICTED} RETURNING v.id`;
const UPDATE_DRAFT_TOKEN = `
  UPDATE pnm_drafts SET token_hash = coalesce($3, token_hash) WHERE organization_id = $1 AND version_id = $2`;
