/** Recognizes the season in an applicant's graduation term (spec: carry-forward, rule 1). */
import type { GraduationSeason } from '../../organizations/vocabulary.js';

const SEASONS: Readonly<Record<string, GraduationSeason>> = {
  fall: 'FALL',
  fa: 'FALL',
  fl: 'FALL',
  f: 'FALL',
  autumn: 'FALL',
  aut: 'FALL',
  au: 'FALL',
  spring: 'SPRING',
  spr: 'SPRING',
  sprg: 'SPRING',
  sp: 'SPRING',
  summer: 'SUMMER',
  summ: 'SUMMER',
  sum: 'SUMMER',
  sumr: 'SUMMER',
  smr: 'SUMMER',
  su: 'SUMMER',
};

/** Words that do not indicate a season. */
const NEUTRAL_WORDS = new Set([
  'semester',
  'sem',
  'term',
  'quarter',
  'session',
  'class',
  'year',
  'of',
  'the',
  'in',
  'ay',
  'cy',
]);

/**
 * Returns the only season that a text names; words about years or terms are ignored. Returns null for winter, a month,
 * two seasons or an unknown word: no value is better than a wrong one.
 */
export function seasonOf(text: string): GraduationSeason | null {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const relevant = words.filter((word) => !NEUTRAL_WORDS.has(word));
  const seasons = new Set(relevant.map((word) => (Object.hasOwn(SEASONS, word) ? SEASONS[word] : null)));
  const [season] = seasons;
  return seasons.size === 1 && season ? season : null;
}

/**
 * Returns the year in which the academic year ends (spec: Membership rule 1): fall belongs to the academic year that
 * ends in the next calendar year.
 * @param year calendar year
 */
export const endingYearOf = (season: GraduationSeason, year: number): number => (season === 'FALL' ? year + 1 : year);
