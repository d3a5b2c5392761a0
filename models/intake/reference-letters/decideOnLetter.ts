/** Actions of officers on requested letters. */
import { editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { intakeErrors } from '../errors.js';
import { askReferee } from './askReferee.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** Lists the letters of a prospective member in the order of their requests. @throws Refusal page_not_found */
export const listLetters = (profileId: string, page: PageRequest): Promise<Page<ShownRow<typeof ReferenceLetter>>> =>
  selectPage({
    from: 'pnm_reference_letters pnm_reference_letters',
    where: 'pnm_reference_letters.organization_id = (SELECT app.org_id()) AND pnm_reference_letters.profile_id = $1',
    values: [profileId],
    orderBy: 'pnm_reference_letters.id',
    key: 'pnm_reference_letters.id',
    select: shownSql(ReferenceLetter),
    ...page,
  });

/** A letter that was received. */
export interface ReceivedLetter {
  name: string;
  email: string;
  relation: string | null;
  /** Null if the referee sent a file instead of text. */
  text: string | null;
  file_id: string | null;
  /** Whether the virus scan of the file is still pending. */
  is_being_checked: boolean;
  closed_at: string;
}

/** Lists all received letters about a prospective member in the order of their requests. */
export const listReceivedLetters = (profileId: string): Promise<ReceivedLetter[]> =>
  rows<ReceivedLetter>(
    `SELECT l.name, l.email, l.relation, l.text, l.file_id, coalesce(s.status = 'held', false) AS is_being_checked,
            to_json(l.closed_at) #>> '{}' AS closed_at
       FROM pnm_reference_letters l LEFT JOIN stored_files s ON s.organization_id = $1 AND s.id = l.file_id
      WHERE l.organization_id = $1 AND l.profile_id = $2 AND l.status = 'submitted' ORDER BY l.id`,
    [currentOrganization(), profileId],
  );

/**
 * Mails the referee of a locked letter again; earlier links stay valid. @throws Refusal letter_closed, letter_reminded
 */
export async function remindReferee(letter: ReferenceLetter): Promise<void> {
  requireRequested(letter);
  const mailedRecently = await firstRow(
    `SELECT FROM pnm_reference_letters WHERE organization_id = $1 AND id = $2 AND asked_at > now() - interval '1 day'`,
    [currentOrganization(), letter.id],
  );
  if (mailedRecently) throw intakeErrors.letter_reminded();
  await askReferee(letter);
}

/** Cancels the request of a locked letter. A repeated call changes nothing. @throws Refusal letter_closed */
export async function cancelLetter(letter: ReferenceLetter): Promise<void> {
  if (letter.status === 'cancelled') return;
  requireRequested(letter);
  await closeLetter(letter, 'cancelled');
}

/** Waives a locked letter that was not received. @throws Refusal letter_closed */
export async function waiveLetter(letter: ReferenceLetter, reason: string): Promise<void> {
  if (letter.status === 'submitted')
    throw intakeErrors.letter_closed('This letter was already received, so it cannot be waived.');
  if (letter.status === 'requested') await closeLetter(letter, 'cancelled', { waiver_reason: reason });
  else await editRow(letter, { waiver_reason: reason });
}

function requireRequested({ status }: ReferenceLetter): void {
  if (status !== 'requested')
    throw intakeErrors.letter_closed(
      'You can remind the referee or cancel the request only while the letter is still expected.',
    );
}
