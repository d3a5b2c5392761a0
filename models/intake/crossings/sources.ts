/**
 * Takes from an intake profile the values that a crossing can copy. The preview and the crossing use the same rules.
 */
import { birthday } from '../../fields.js';
import { GRADUATION_YEARS, type GraduationSeason } from '../../organizations/vocabulary.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import type { Fate } from '../vocabulary.js';
import { endingYearOf, seasonOf } from './season.js';

/**
 * Maximum length of a one-line column, in characters. A longer value is not copied at all, because values are never
 * truncated.
 */
const MAX_LINE_LENGTH = 255;

/** A value to copy, or the reason why there is none. */
export type Source<Value> =
  | { value: Value }
  | { fate: Extract<Fate, 'source_empty' | 'season_not_recognised' | 'too_long' | 'out_of_range'> };

export type Answers = Pick<
  PnmProfile,
  | 'birth_date'
  | 'expected_graduation_semester'
  | 'expected_graduation_year'
  | 'phone_number'
  | 'permanent_address'
  | 'ethnicity'
>;

const EMPTY = { fate: 'source_empty' } as const;

const textSource = (text: string | null | undefined): Source<string> => {
  const value = text?.trim();
  return value ? { value } : EMPTY;
};

export interface Graduation {
  season: GraduationSeason;
  /** Calendar year in which the academic year of the graduation ends. */
  year: number;
}

function graduationOf({
  expected_graduation_semester: semester,
  expected_graduation_year: year,
}: Answers): Source<Graduation> {
  if (!semester?.trim() || year === null) return EMPTY;
  const season = seasonOf(semester);
  if (!season) return { fate: 'season_not_recognised' };
  const ending = endingYearOf(season, year);
  return ending < GRADUATION_YEARS.first || ending > GRADUATION_YEARS.last
    ? { fate: 'out_of_range' }
    : { value: { season, year: ending } };
}

/** Checks the birth date with the rule for member profiles (`MemberProfile.ts`). */
function birthOf({ birth_date }: Answers): Source<string> {
  const birth = textSource(birth_date);
  return 'value' in birth && !birthday.safeParse(birth.value).success ? { fate: 'out_of_range' } : birth;
}

function addressOf({ permanent_address }: Answers): Source<string> {
  const address = textSource(permanent_address);
  return 'value' in address && Array.from(address.value).length > MAX_LINE_LENGTH ? { fate: 'too_long' } : address;
}

/**
 * Returns the value of each field, or the reason why there is none.
 * @param answers null if there is no profile
 */
export const sourcesOf = (answers: Answers | null) => ({
  date_of_birth: answers ? birthOf(answers) : EMPTY,
  graduation: answers ? graduationOf(answers) : EMPTY,
  phone_number: textSource(answers?.phone_number),
  permanent_address_line1: answers ? addressOf(answers) : EMPTY,
  ethnicity: textSource(answers?.ethnicity),
});
