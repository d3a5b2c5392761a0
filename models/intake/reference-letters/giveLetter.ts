/** What whoever has a mailed link may do: see what is wanted, write the letter once, or say that they will not. */
import { lockRow } from '../../database/model/change.js';
import { currentOrganization, firstJson, firstRow } from '../../database/rows.js';
import { found } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { notify } from '../../notifications/notify.js';
import { intakeErrors } from '../errors.js';
import { told } from '../notifications.js';
import type { LetterStatus } from '../vocabulary.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** As the referee sees it; nothing of what anybody wrote. */
export interface AskedLetter {
  organization: string;
  chapter: string;
  applicant: string;
  name: string;
  relation: string | null;
  status: 'requested' | 'submitted' | 'declined';
  expires_at: string;
  /** A file that came was infected: another is wanted. */
  is_file_refused: boolean;
}

const OF_TOKEN = `pnm_reference_letter_tokens t JOIN pnm_reference_letters l ON l.organization_id = $1 AND l.id = t.letter_id
  WHERE t.organization_id = $1 AND t.token_hash = $2`;

/** Uses nothing up: mail scanners follow links. @throws Refusal not_found, no_longer_needed */
export async function readAskedLetter(token: string): Promise<AskedLetter> {
  const letter = found(
    await firstJson<Omit<AskedLetter, 'status'> & { status: LetterStatus }>(
      `SELECT o.name AS organization, c.name AS chapter, u.first_name || ' ' || u.last_name AS applicant, l.name, l.relation,
              CASE WHEN l.status = 'requested' AND l.expires_at <= now() THEN 'expired' ELSE l.status END AS status, l.expires_at,
              l.status = 'requested' AND l.file_refused_at IS NOT NULL AS is_file_refused
         FROM (SELECT l.* FROM ${OF_TOKEN}) l
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

/** Of a letter that somebody waits for, locked. @throws Refusal not_found, no_longer_needed, letter_closed */
export async function lockAsked(token: string): Promise<ReferenceLetter> {
  const letter = await lockOf(token);
  requireOpen(letter);
  return letter;
}

async function lockOf(token: string): Promise<ReferenceLetter> {
  const { id } = found(
    await firstRow<{ id: string }>(`SELECT l.id FROM ${OF_TOKEN}`, [currentOrganization(), hashToken(token)]),
  );
  return lockRow(ReferenceLetter, id);
}

function requireOpen({ status, expires_at }: ReferenceLetter): void {
  if (status === 'submitted' || status === 'declined') throw intakeErrors.letter_closed();
  if (status !== 'requested' || new Date(expires_at) <= new Date()) throw intakeErrors.no_longer_needed();
}

/**
 * Takes the letter, once, whatever link of it was used: no other link writes another. Sent again, it is answered as the first time.
 * @throws Refusal not_found, no_longer_needed, letter_closed
 */
export async function giveText(token: string, text: string): Promise<void> {
  const letter = await lockOf(token);
  if (letter.status === 'submitted' && letter.text === text) return;
  requireOpen(letter);
  await keepLetter(letter, { text });
}

/** The same, as a file. */
export const giveFile = async (token: string, fileId: string): Promise<void> =>
  keepLetter(await lockAsked(token), { file_id: fileId });

async function keepLetter(letter: ReferenceLetter, content: { text: string } | { file_id: string }): Promise<void> {
  await closeLetter(letter, 'submitted', content);
  await notify(told.pnm_letter_received, [letter.id], { actor: null });
}

/** Repeating it changes nothing. @throws Refusal not_found, no_longer_needed, letter_closed */
export async function declineLetter(token: string): Promise<void> {
  const letter = await lockOf(token);
  if (letter.status === 'declined') return;
  requireOpen(letter);
  await closeLetter(letter, 'declined');
  await notify(told.pnm_letter_missing, [letter.id], { actor: null });
}
