/** What of a profile can be carried, and where it goes: judged alike by the preview and by the crossing. */
import { birthday } from '../../fields.js';
import { GRADUATION_YEARS, type GraduationSeason } from '../../organizations/vocabulary.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import type { Fate } from '../vocabulary.js';
import { endingYearOf, seasonOf } from './season.js';

/** The column of one line, in characters: what is longer is left where it is, never cut. */
const LONGEST_LINE = 255;

/** A value to give, or why there is none. */
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

const present = (text: string | null | undefined): Source<string> => {
  const value = text?.trim();
  return value ? { value } : EMPTY;
};

export interface Graduation {
  season: GraduationSeason;
  /** In which the academic year ends. */
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

/** A profile takes no other (`MemberProfile.ts`). */
function birthOf({ birth_date }: Answers): Source<string> {
  const birth = present(birth_date);
  return 'value' in birth && !birthday.safeParse(birth.value).success ? { fate: 'out_of_range' } : birth;
}

function addressOf({ permanent_address }: Answers): Source<string> {
  const address = present(permanent_address);
  return 'value' in address && Array.from(address.value).length > LONGEST_LINE ? { fate: 'too_long' } : address;
}

/** @param answers null: there is no profile, and nothing to carry */
export const sourcesOf = (answers: Answers | null) => ({
  date_of_birth: answers ? birthOf(answers) : EMPTY,
  graduation: answers ? graduationOf(answers) : EMPTY,
  phone_number: present(answers?.phone_number),
  permanent_address_line1: answers ? addressOf(answers) : EMPTY,
  ethnicity: present(answers?.ethnicity),
});
