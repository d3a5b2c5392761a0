/** Actions of a referee who opens the mailed link: reads the request, submits the letter once, or declines it. */
import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstJson, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { notify } from '../../notifications/notify.js';
import { intakeErrors } from '../errors.js';
import { notifications } from '../notifications.js';
import type { LetterStatus } from '../vocabulary.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** The request as the referee sees it. It contains no letters. */
export interface LetterRequest {
  organization: string;
  chapter: string;
  applicant: string;
  name: string;
  relation: string | null;
  status: 'requested' | 'submitted' | 'declined';
  expires_at: string;
  /** True if the referee's file was infected and refused, so that another letter is needed. */
  is_file_refused: boolean;
}

const LETTER_BY_TOKEN = `pnm_reference_letter_tokens t JOIN pnm_reference_letters l ON l.organization_id = $1 AND l.id = t.letter_id
  WHERE t.organization_id = $1 AND t.token_hash = $2`;

/**
 * Reads the request. This does not use the link up, because mail scanners follow links. @throws Refusal not_found,
 * no_longer_needed
 */
export async function readLetterRequest(token: string): Promise<LetterRequest> {
  const letter = requireFound(
    await firstJson<Omit<LetterRequest, 'status'> & { status: LetterStatus }>(
      `SELECT o.name AS organization, c.name AS chapter, u.first_name || ' ' || u.last_name AS applicant, l.name, l.relation,
              CASE WHEN l.status = 'requested' AND l.expires_at <= now() THEN 'expired' ELSE l.status END AS status, l.expires_at,
              l.status = 'requested' AND l.file_refused_at IS NOT NULL AS is_file_refused
         FROM (SELECT l.* FROM ${LETTER_BY_TOKEN}) l
         JOIN organizations o ON o.id = $1
         JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = l.profile_id
         JOIN chapters c ON c.organization_id = $1 AND c.id = p.chapter_id
         JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
         JOIN users u ON u.id = m.user_id`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  const { status } = letter;
  if (status === 'requested' || status === 'submitted' || status === 'declined') return { ...letter, status };
  throw intakeErrors.no_longer_needed();
}

/** Locks a letter that is still expected. @throws Refusal not_found, no_longer_needed, letter_closed */
export async function lockRequestedLetter(token: string): Promise<ReferenceLetter> {
  const letter = await lockByToken(token);
  requireOpen(letter);
  return letter;
}

async function lockByToken(token: string): Promise<ReferenceLetter> {
  const { id } = requireFound(
    await firstRow<{ id: string }>(`SELECT l.id FROM ${LETTER_BY_TOKEN}`, [currentOrganization(), hashToken(token)]),
  );
  return lockForEdit(ReferenceLetter, id);
}

function requireOpen({ status, expires_at }: ReferenceLetter): void {
  if (status === 'submitted' || status === 'declined') throw intakeErrors.letter_closed();
  if (status !== 'requested' || new Date(expires_at) <= new Date()) throw intakeErrors.no_longer_needed();
}

/**
 * Submits the letter. It can be submitted once, through any of the links that were mailed for it. Sending the same
 * text again succeeds and changes nothing.
 * @throws Refusal not_found, no_longer_needed, letter_closed
 */
export async function submitText(token: string, text: string): Promise<void> {
  const letter = await lockByToken(token);
  if (letter.status === 'submitted' && letter.text === text) return;
  requireOpen(letter);
  await storeLetter(letter, { text });
}

/** Submits the letter as a file. @throws Refusal not_found, no_longer_needed, letter_closed */
export const submitFile = async (token: string, fileId: string): Promise<void> =>
  storeLetter(await lockRequestedLetter(token), { file_id: fileId });

async function storeLetter(letter: ReferenceLetter, content: { text: string } | { file_id: string }): Promise<void> {
  await closeLetter(letter, 'submitted', content);
  await notify(notifications.pnm_letter_received, [letter.id], { actor: null });
}

/** Declines the request. A repeated call changes nothing. @throws Refusal not_found, no_longer_needed, letter_closed */
export async function declineLetter(token: string): Promise<void> {
  const letter = await lockByToken(token);
  if (letter.status === 'declined') return;
  requireOpen(letter);
  await closeLetter(letter, 'declined');
  await notify(notifications.pnm_letter_missing, [letter.id], { actor: null });
}
