/** Files of applicants: of a draft while it is one, of the application once it counts; one of a kind. */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { found } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { IS_SHUT, LINK_HOLDS, PERIOD_OVER, TAKEN_BACK } from './linkHolds.js';
import type { AttachmentKind } from '../pnm-config/vocabulary.js';

export interface AttachedTo {
  draft_id: string | null;
  application_id: string | null;
}

/** Of a draft that is not sent, locked. @throws Refusal not_found, application_sent */
export async function ofDraft(token: string): Promise<AttachedTo> {
  const draft = found(
    await firstRow<{ id: string; is_sent: boolean }>(
      `SELECT id, version_id IS NOT NULL AS is_sent FROM pnm_drafts
        WHERE organization_id = $1 AND token_hash = $2 AND expires_at > now() FOR NO KEY UPDATE`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  if (draft.is_sent) throw intakeErrors.application_sent();
  return { draft_id: draft.id, application_id: null };
}

/**
 * Of an application that nobody has decided, locked; of one that waits for its mailbox, what came with it alone. One that counts without
 * is open as long as it would be if it waited: a refusal would tell.
 * @throws Refusal not_found, application_closed
 */
export async function ofApplication(token: string): Promise<AttachedTo> {
  const sent = found(
    await firstRow<{ version_id: string; application_id: string; is_shut: boolean; counts: boolean; open: boolean }>(
      `SELECT v.id AS version_id, a.id AS application_id, ${IS_SHUT} AS is_shut, v.state = 'current' OR v.confirmed_at IS NOT NULL AS counts,
              v.state <> 'archived' AND NOT ${TAKEN_BACK} AND CASE WHEN ${IS_SHUT} THEN NOT ${PERIOD_OVER}
                WHEN v.state = 'pending' THEN true
                ELSE a.state <> 'withdrawn' AND (p.stage IS NULL OR p.stage IN ('not_started', 'approved', 'in_progress')) END AS open
         FROM pnm_application_versions v
         JOIN pnm_applications a ON a.organization_id = $1 AND a.id = v.application_id
         LEFT JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = a.profile_id
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_HOLDS} FOR NO KEY UPDATE OF a`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  if (!sent.open) throw intakeErrors.application_closed();
  // One that counts without its mailbox has no use for it, and would otherwise be told by what is left out.
  const draft_id = sent.is_shut || !sent.counts ? await draftOf(sent.version_id, token) : null;
  return sent.counts ? { draft_id: null, application_id: sent.application_id } : { draft_id, application_id: null };
}

/** What was sent without a draft gets one that keeps its files until it counts, and that nobody reads: whoever sent it sees no difference. */
async function draftOf(versionId: string, token: string): Promise<string> {
  const values = [currentOrganization(), hashToken(token)];
  await rows(
    `INSERT INTO pnm_drafts (organization_id, token_hash, version_id, expires_at) VALUES ($1, $2, $3, now())
     ON CONFLICT ON CONSTRAINT pnm_drafts_token DO NOTHING`,
    [...values, versionId],
  );
  const draft = 'SELECT id FROM pnm_drafts WHERE organization_id = $1 AND token_hash = $2';
  return (await oneRow<{ id: string }>(draft, values)).id;
}

/** The kinds of what was attached to somebody's draft or application, as they may know of each. */
export interface AttachedKinds {
  attachments: AttachmentKind[];
  /** Of these, what nobody reads yet. */
  checking: AttachmentKind[];
  /** What was infected, and is gone: another may be sent. */
  refused: AttachmentKind[];
}

/** SQL of these columns. @param where conditions on `s`, an attachment of the organization `$1` */
export const attachedKinds = (where: string): string => {
  const kinds = (more: string) =>
    `ARRAY(SELECT s.kind FROM pnm_attachments s
       LEFT JOIN stored_files b ON b.organization_id = $1 AND b.id = s.file_id
      WHERE s.organization_id = $1 AND (${where}) AND ${more} ORDER BY s.kind)`;
  return `${kinds('s.file_id IS NOT NULL')} AS attachments, ${kinds(`b.status = 'held'`)} AS checking,
    ${kinds('s.file_id IS NULL')} AS refused`;
};

/** In the place of the one before, whose file goes. */
export async function attach({ draft_id, application_id }: AttachedTo, kind: AttachmentKind, fileId: string) {
  await rows(
    `DELETE FROM pnm_attachments WHERE organization_id = $1 AND kind = $4
        AND (draft_id = $2::uuid OR application_id = $3::uuid)`,
    [currentOrganization(), draft_id, application_id, kind],
  );
  await rows(
    'INSERT INTO pnm_attachments (organization_id, draft_id, application_id, kind, file_id) VALUES ($1, $2, $3, $4, $5)',
    [currentOrganization(), draft_id, application_id, kind, fileId],
  );
}

/** What came with a version is the application's once that counts, in the place of what it had of the kind. */
export async function moveAttachments(versionId: string): Promise<void> {
  const values = [currentOrganization(), versionId];
  const OF_VERSION = `pnm_drafts d JOIN pnm_application_versions v
    ON v.organization_id = d.organization_id AND v.id = d.version_id AND v.state = 'current'`;
  await rows(
    `DELETE FROM pnm_attachments old USING ${OF_VERSION}
       JOIN pnm_attachments new ON new.organization_id = $1 AND new.draft_id = d.id
      WHERE d.organization_id = $1 AND v.id = $2 AND old.organization_id = $1 AND old.application_id = v.application_id
        AND old.kind = new.kind`,
    values,
  );
  await rows(
    `UPDATE pnm_attachments f SET draft_id = NULL, application_id = v.application_id FROM ${OF_VERSION}
      WHERE d.organization_id = $1 AND v.id = $2 AND f.organization_id = $1 AND f.draft_id = d.id`,
    values,
  );
}

/** The file of an attachment of a prospective member; there is none of what was refused. @throws Refusal not_found */
export const attachedFile = async (profileId: string, attachmentId: string): Promise<string> =>
  found(
    await firstRow<{ file_id: string }>(
      `SELECT f.file_id FROM pnm_attachments f JOIN pnm_applications a ON a.organization_id = $1 AND a.id = f.application_id
        WHERE f.organization_id = $1 AND f.id = $3 AND f.file_id IS NOT NULL AND a.profile_id = $2`,
      [currentOrganization(), profileId, attachmentId],
    ),
  ).file_id;
