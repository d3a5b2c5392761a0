/** What officers do with a letter that they wait for. */
import { editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { intakeErrors } from '../errors.js';
import { askReferee } from './askReferee.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** Of a prospective member, as they were asked for. @throws Refusal page_not_found */
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

/** One that has come. */
export interface LetterAbout {
  name: string;
  email: string;
  relation: string | null;
  /** Null of one that came as a file. */
  text: string | null;
  file_id: string | null;
  /** Its file cannot be read yet. */
  is_being_checked: boolean;
  closed_at: string;
}

/** All that have come about a prospective member, in the order in which they were asked for. */
export const lettersAbout = (profileId: string): Promise<LetterAbout[]> =>
  rows<LetterAbout>(
    `SELECT l.name, l.email, l.relation, l.text, l.file_id, coalesce(s.status = 'held', false) AS is_being_checked,
            to_json(l.closed_at) #>> '{}' AS closed_at
       FROM pnm_reference_letters l LEFT JOIN stored_files s ON s.organization_id = $1 AND s.id = l.file_id
      WHERE l.organization_id = $1 AND l.profile_id = $2 AND l.status = 'submitted' ORDER BY l.id`,
    [currentOrganization(), profileId],
  );

/** Mails a locked letter's referee once more; the links before go on to work. @throws Refusal letter_closed, letter_reminded */
export async function remindReferee(letter: ReferenceLetter): Promise<void> {
  requireWaiting(letter);
  const lately = await firstRow(
    `SELECT FROM pnm_reference_letters WHERE organization_id = $1 AND id = $2 AND asked_at > now() - interval '1 day'`,
    [currentOrganization(), letter.id],
  );
  if (lately) throw intakeErrors.letter_reminded();
  await askReferee(letter);
}

/** Nobody waits for a locked letter any more. Again changes nothing. @throws Refusal letter_closed */
export async function cancelLetter(letter: ReferenceLetter): Promise<void> {
  if (letter.status === 'cancelled') return;
  requireWaiting(letter);
  await closeLetter(letter, 'cancelled');
}

/** The application is whole without a locked letter that has not come. @throws Refusal letter_closed */
export async function waiveLetter(letter: ReferenceLetter, reason: string): Promise<void> {
  if (letter.status === 'submitted') throw intakeErrors.letter_closed('This letter has come.');
  if (letter.status === 'requested') await closeLetter(letter, 'cancelled', { waiver_reason: reason });
  else await editRow(letter, { waiver_reason: reason });
}

function requireWaiting({ status }: ReferenceLetter): void {
  if (status !== 'requested') throw intakeErrors.letter_closed('Nobody waits for this letter any more.');
}
