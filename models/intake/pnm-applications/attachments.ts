/**
 * Files that applicants attach, one of each kind. A file belongs to the draft; once the submitted version counts, it
 * belongs to the application.
 */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { IS_RESTRICTED, LINK_IS_VALID, PERIOD_IS_CLOSED, IS_WITHDRAWN } from './linkAccess.js';
import type { AttachmentKind } from '../pnm-config/vocabulary.js';

export interface AttachmentOwner {
  draft_id: string | null;
  application_id: string | null;
}

/** Locks a draft that is not submitted yet. @throws Refusal not_found, application_sent */
export async function lockDraftOwner(token: string): Promise<AttachmentOwner> {
  const draft = requireFound(
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
 * Locks an application that can still get files. If the mailbox of a version is not confirmed, its link gives access
 * only to the files that were sent with that version. This also holds for a version that already counts without
 * confirmation: any difference would disclose that it counts.
 * @throws Refusal not_found, application_closed
 */
export async function lockApplicationOwner(token: string): Promise<AttachmentOwner> {
  const sent = requireFound(
    await firstRow<{ version_id: string; application_id: string; is_shut: boolean; counts: boolean; open: boolean }>(
      `SELECT v.id AS version_id, a.id AS application_id, ${IS_RESTRICTED} AS is_shut, v.state = 'current' OR v.confirmed_at IS NOT NULL AS counts,
              v.state <> 'archived' AND NOT ${IS_WITHDRAWN} AND CASE WHEN ${IS_RESTRICTED} THEN NOT ${PERIOD_IS_CLOSED}
                WHEN v.state = 'pending' THEN true
                ELSE a.state <> 'withdrawn' AND (p.stage IS NULL OR p.stage IN ('not_started', 'approved', 'in_progress')) END AS open
         FROM pnm_application_versions v
         JOIN pnm_applications a ON a.organization_id = $1 AND a.id = v.application_id
         LEFT JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = a.profile_id
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_IS_VALID} FOR NO KEY UPDATE OF a`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  if (!sent.open) throw intakeErrors.application_closed();
  // A version that counts without a confirmed mailbox needs no draft. It gets one anyway, because without this
  // statement the response would be faster and would disclose that the version counts.
  const draft_id = sent.is_shut || !sent.counts ? await ensureDraft(sent.version_id, token) : null;
  return sent.counts ? { draft_id: null, application_id: sent.application_id } : { draft_id, application_id: null };
}

/**
 * Returns the draft that holds the files of a version until the version counts. If the version was sent without a
 * draft, creates one that is already expired and therefore cannot be read.
 */
async function ensureDraft(versionId: string, token: string): Promise<string> {
  const values = [currentOrganization(), hashToken(token)];
  await rows(
    `INSERT INTO pnm_drafts (organization_id, token_hash, version_id, expires_at) VALUES ($1, $2, $3, now())
     ON CONFLICT ON CONSTRAINT pnm_drafts_token DO NOTHING`,
    [...values, versionId],
  );
  const draft = 'SELECT id FROM pnm_drafts WHERE organization_id = $1 AND token_hash = $2';
  return (await oneRow<{ id: string }>(draft, values)).id;
}

/** Kinds of the files attached to a draft or application. The applicant sees only these kinds. */
export interface AttachedKinds {
  attachments: AttachmentKind[];
  /** Attachments that are still being checked. */
  checking: AttachmentKind[];
  /** Infected attachments, which were deleted; the applicant may send another file. */
  refused: AttachmentKind[];
}

/**
 * Returns the SQL of the columns of `AttachedKinds`.
 * @param where conditions on `s`, an attachment of the organization `$1`
 */
export const attachedKinds = (where: string): string => {
  const kinds = (more: string) =>
    `ARRAY(SELECT s.kind FROM pnm_attachments s
       LEFT JOIN stored_files b ON b.organization_id = $1 AND b.id = s.file_id
      WHERE s.organization_id = $1 AND (${where}) AND ${more} ORDER BY s.kind)`;
  return `${kinds('s.file_id IS NOT NULL')} AS attachments, ${kinds(`b.status = 'held'`)} AS checking,
    ${kinds('s.file_id IS NULL')} AS refused`;
};

/** Attaches a file and deletes the previous attachment of its kind. */
export async function attach({ draft_id, application_id }: AttachmentOwner, kind: AttachmentKind, fileId: string) {
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

/**
 * Moves the files of a version from its draft to the application once the version counts. Replaces the application's
 * files of the same kinds.
 */
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

/**
 * Returns the file id of an attachment of a prospective member. An infected attachment has no file any more.
 * @throws Refusal not_found
 */
export const readAttachedFile = async (profileId: string, attachmentId: string): Promise<string> =>
  requireFound(
    await firstRow<{ file_id: string }>(
      `SELECT f.file_id FROM pnm_attachments f JOIN pnm_applications a ON a.organization_id = $1 AND a.id = f.application_id
        WHERE f.organization_id = $1 AND f.id = $3 AND f.file_id IS NOT NULL AND a.profile_id = $2`,
      [currentOrganization(), profileId, attachmentId],
    ),
  ).file_id;
