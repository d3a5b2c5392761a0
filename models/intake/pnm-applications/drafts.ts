/** What an applicant has typed so far: kept for 30 days, for whoever has the token. */
import { createRow, editRow, inSeconds, lockRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { emailAddress } from '../../fields.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { type AttachedKinds, attachedKinds } from './attachments.js';
import type { Contents } from './contents.js';
import { PnmDraft, tooLarge } from './PnmDraft.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { type ApplyingTo, requireOpen, type Spend } from './publicForm.js';
import { type Submitted, submitApplication } from './submitApplication.js';
import { readStatus } from './readStatus.js';

export const DRAFT_SECONDS = 30 * 24 * 60 * 60;
const MOST_BYTES = 64 * 1024;

export interface ShownDraft extends AttachedKinds {
  contents: Contents;
  expires_at: string;
  is_sent: boolean;
  version: number;
}

/** @returns its token, which nobody can read again. @throws Refusal intake_closed, body_too_large */
export async function createDraft(contents: Contents): Promise<string> {
  await requireOpen();
  requireSize(contents);
  const token = newToken();
  await createRow(PnmDraft, { token_hash: hashToken(token), contents, expires_at: inSeconds(DRAFT_SECONDS) });
  return token;
}

/** The application that it became, where that counts: its files are there, and shown as if they still were with the draft. */
const COUNTING = `(SELECT v.application_id FROM pnm_application_versions v
  WHERE v.organization_id = $1 AND v.id = pnm_drafts.version_id AND (v.state = 'current' OR v.confirmed_at IS NOT NULL))`;

const SHOWN = `to_json(d) AS draft FROM (
  SELECT contents, expires_at, version_id IS NOT NULL AS is_sent, version,
         ${attachedKinds(`s.draft_id = pnm_drafts.id OR s.application_id = ${COUNTING}`)}
    FROM pnm_drafts
   WHERE organization_id = $1 AND token_hash = $2 AND expires_at > now()) d`;

/** @throws Refusal not_found */
export const readDraft = async (token: string): Promise<ShownDraft> =>
  found(await firstRow<{ draft: ShownDraft }>(`SELECT ${SHOWN}`, [currentOrganization(), hashToken(token)])).draft;

/** @throws Refusal not_found */
async function lockDraft(token: string): Promise<PnmDraft> {
  await readDraft(token);
  return lockRow(PnmDraft, { token_hash: hashToken(token) });
}

/** Replaces what was typed. @throws Refusal not_found, stale_version, application_sent, body_too_large */
export async function keepDraft(token: string, contents: Contents, version: number | undefined): Promise<ShownDraft> {
  requireSize(contents);
  const draft = await lockDraft(token);
  if (draft.version_id !== null) throw intakeErrors.application_sent();
  await editRow(draft, { contents, version });
  return readDraft(token);
}

function requireSize(contents: Contents): void {
  if (Buffer.byteLength(JSON.stringify(contents)) > MOST_BYTES) throw tooLarge();
}

/** Mails the draft's link to the address that was typed in it. @throws Refusal not_found, application_sent, validation_error naming email */
export async function sendDraftLink(to: ApplyingTo, token: string): Promise<void> {
  const { contents, is_sent } = await readDraft(token);
  if (is_sent) throw intakeErrors.application_sent();
  const address = emailAddress.safeParse(contents.email);
  if (!address.success) throw invalid('email', 'Type your address first.');
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
 * Sends the draft. Again is answered as the first time, so that a lost answer loses nothing; refused, it stays as it is.
 * @throws Refusal not_found, and as `submitApplication`
 */
export async function submitDraft(to: ApplyingTo, token: string, spend: Spend): Promise<Submitted> {
  const draft = await lockDraft(token);
  if (draft.version_id === null) {
    const sent = { text: SENT, values: [currentOrganization(), hashToken(token)] };
    return submitApplication(to, draft.contents, { token, spend, more: [sent] });
  }
  const { confirmation } = await readApplicationConfig();
  return { status: (await readStatus(token)).status === 'unconfirmed' ? 'unconfirmed' : 'received', confirmation };
}

/** A draft and what it became have one token. */
const SENT = `
  UPDATE pnm_drafts d SET version_id = v.id FROM pnm_application_versions v
   WHERE d.organization_id = $1 AND d.token_hash = $2 AND v.organization_id = $1 AND v.token_hash = $2`;
