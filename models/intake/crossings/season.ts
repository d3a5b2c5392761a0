/** What an applicant wrote of the term in which they graduate, as a season (spec: carry-forward, rule 1). */
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

/** Words that say nothing of the season. */
const BESIDE = new Set([
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
 * The one season that a text names, whatever else of a year or a term stands beside it. A winter, a month, two seasons, or a
 * word that nobody knows leave it open: better nothing than something wrong.
 */
export function seasonOf(text: string): GraduationSeason | null {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const telling = words.filter((word) => !BESIDE.has(word));
  const seasons = new Set(telling.map((word) => (Object.hasOwn(SEASONS, word) ? SEASONS[word] : null)));
  const [season] = seasons;
  return seasons.size === 1 && season ? season : null;
}

/**
 * The year in which the academic year of a calendar one ends (spec: Membership rule 1): autumn belongs to the next.
 * @param year of the calendar
 */
export const endingYearOf = (season: GraduationSeason, year: number): number => (season === 'FALL' ? year + 1 : year);
