/** Drafts of applications. A draft is stored for 30 days; its token gives access to it. */
import { createRow, editRow, inSeconds, lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { emailAddress } from '../../fields.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { type AttachedKinds, attachedKinds } from './attachments.js';
import type { Contents } from './contents.js';
import { PnmDraft, tooLarge } from './PnmDraft.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { type FormOrganization, requireOpen, type Spend } from './publicForm.js';
import { type Submitted, submitApplication } from './submitApplication.js';
import { readStatus } from './readStatus.js';

export const DRAFT_SECONDS = 30 * 24 * 60 * 60;
const MAX_BYTES = 64 * 1024;

export interface ShownDraft extends AttachedKinds {
  contents: Contents;
  expires_at: string;
  is_sent: boolean;
  version: number;
}

/**
 * Creates a draft.
 * @returns the draft's token, of which only a hash is stored
 * @throws Refusal intake_closed, body_too_large
 */
export async function createDraft(contents: Contents): Promise<string> {
  await requireOpen();
  requireSize(contents);
  const token = newToken();
  await createRow(PnmDraft, { token_hash: hashToken(token), contents, expires_at: inSeconds(DRAFT_SECONDS) });
  return token;
}

/**
 * SQL for the application that was submitted from this draft, if its version counts. The files then belong to the
 * application, but are shown as if they still belonged to the draft.
 */
const COUNTING_APPLICATION = `(SELECT v.application_id FROM pnm_application_versions v
  WHERE v.organization_id = $1 AND v.id = pnm_drafts.version_id AND (v.state = 'current' OR v.confirmed_at IS NOT NULL))`;

const SHOWN = `to_json(d) AS draft FROM (
  SELECT contents, expires_at, version_id IS NOT NULL AS is_sent, version,
         ${attachedKinds(`s.draft_id = pnm_drafts.id OR s.application_id = ${COUNTING_APPLICATION}`)}
    FROM pnm_drafts
   WHERE organization_id = $1 AND token_hash = $2 AND expires_at > now()) d`;

/**
 * Reads the draft with this token.
 * @throws Refusal not_found
 */
export const readDraft = async (token: string): Promise<ShownDraft> =>
  requireFound(await firstRow<{ draft: ShownDraft }>(`SELECT ${SHOWN}`, [currentOrganization(), hashToken(token)]))
    .draft;

/**
 * Locks the draft with this token.
 * @throws Refusal not_found
 */
async function lockDraft(token: string): Promise<PnmDraft> {
  await readDraft(token);
  return lockForEdit(PnmDraft, { token_hash: hashToken(token) });
}

/** Replaces the contents of a draft. @throws Refusal not_found, stale_version, application_sent, body_too_large */
export async function saveDraft(token: string, contents: Contents, version: number | undefined): Promise<ShownDraft> {
  requireSize(contents);
  const draft = await lockDraft(token);
  if (draft.version_id !== null) throw intakeErrors.application_sent();
  await editRow(draft, { contents, version });
  return readDraft(token);
}

function requireSize(contents: Contents): void {
  if (Buffer.byteLength(JSON.stringify(contents)) > MAX_BYTES) throw tooLarge();
}

/**
 * Mails a link to the draft to the address that the applicant typed in it.
 * @throws Refusal not_found, application_sent, validation_error naming email
 */
export async function sendDraftLink(to: FormOrganization, token: string): Promise<void> {
  const { contents, is_sent } = await readDraft(token);
  if (is_sent) throw intakeErrors.application_sent();
  const address = emailAddress.safeParse(contents.email);
  if (!address.success) throw invalid('email', 'Enter your email address in the draft first.');
  await writeNotice({
    userId: null,
    kind: 'application_draft',
    email: address.data,
    facts: { organization: to.name, slug: to.slug },
    secret: token,
    expiresInSeconds: DRAFT_SECONDS,
  });
}

/**
 * Submits the draft. A client may retry: a repeated request gets an equivalent response and does not submit the
 * application again. If the submission is refused, the draft stays unchanged.
 * @throws Refusal not_found, and the errors of `submitApplication`
 */
export async function submitDraft(to: FormOrganization, token: string, spend: Spend): Promise<Submitted> {
  const draft = await lockDraft(token);
  if (draft.version_id === null) {
    const linkDraft = { text: LINK_DRAFT, values: [currentOrganization(), hashToken(token)] };
    return submitApplication(to, draft.contents, { token, spend, more: [linkDraft] });
  }
  const { confirmation } = await readApplicationConfig();
  return { status: (await readStatus(token)).status === 'unconfirmed' ? 'unconfirmed' : 'received', confirmation };
}

/** SQL that links a draft to the version that was submitted from it. Both have the same token. */
const LINK_DRAFT = `
  UPDATE pnm_drafts d SET version_id = v.id FROM pnm_application_versions v
   WHERE d.organization_id = $1 AND d.token_hash = $2 AND v.organization_id = $1 AND v.token_hash = $2`;
