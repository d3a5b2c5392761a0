/** What a line says, field by field, as far as the line itself tells. */
import { z } from 'zod';
import { beginningOf } from '../../beginningOf.js';
import type { FieldErrors } from '../../errors.js';
import { birthday, day, emailAddress, name, text } from '../../fields.js';
import { GRADUATION_SEASONS, GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';
import { IMPORT_FIELDS, type ImportField, type Mapping } from './fields.js';
import { type DayOrder, needsOrder, writtenDay } from './writtenDay.js';

/** What a line says; what it leaves empty it says nothing of. */
export type Given = Partial<Record<ImportField, string | number>>;

export interface NamedChapter {
  id: string;
  name: string;
  active: boolean;
}

export interface ReadLine {
  given: Given;
  errors: FieldErrors;
  chapter: NamedChapter | null;
  nameKey: string | null;
}

const whole = (least: number, highest: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.number().min(least).max(highest));
const word = <const Words extends readonly [string, ...string[]]>(words: Words, spelled: (text: string) => string) =>
  z.string().transform(spelled).pipe(z.enum(words));
const small = (said: string) => said.toLowerCase().replaceAll(/[\s-]+/g, '_');

const RULES: Record<ImportField, z.ZodType<string | number>> = {
  email: emailAddress,
  first_name: name(100),
  last_name: name(100),
  chapter: name(200),
  status: word(MEMBERSHIP_STATUSES, small),
  role: word(MEMBERSHIP_ROLES, small),
  joined_date: day,
  graduation_year: whole(GRADUATION_YEARS.first, GRADUATION_YEARS.last),
  graduation_season: word(GRADUATION_SEASONS, (said) => said.toUpperCase()),
  pledge_class: name(100),
  line_number: whole(0, 10_000),
  crossing_semester: text(50),
  crossing_date: day,
  phone_number: text(40),
  preferred_name: name(100),
  date_of_birth: birthday,
  permanent_address_line1: text(255),
  permanent_address_line2: text(255),
  city: text(100),
  state: text(50),
  postal_code: text(20),
  country: text(100),
};

const DAYS: ReadonlySet<ImportField> = new Set(['joined_date', 'crossing_date', 'date_of_birth']);
const SAY_ORDER =
  'Say with the columns whether days are written month or day first (`day_order`), or write YYYY-MM-DD.';

interface Context {
  mapping: Mapping;
  dayOrder: DayOrder;
  /** As `chaptersByName` says. */
  chapters: ReadonlyMap<string, NamedChapter | null>;
  /** Of lines that name none. */
  chapter: string | null;
}

export function readLine(
  cells: readonly string[],
  { mapping, dayOrder, chapters, chapter: otherwise }: Context,
): ReadLine {
  const given: Given = {};
  const errors: FieldErrors = {};
  for (const field of IMPORT_FIELDS) {
    const said = cells[mapping[field] ?? -1]?.trim() ?? '';
    if (said === '') continue;
    const isDay = DAYS.has(field);
    const read = RULES[field].safeParse(isDay ? writtenDay(said, dayOrder) : said);
    if (read.success) given[field] = read.data;
    else if (isDay && dayOrder === 'ymd' && needsOrder(said)) errors[field] = [SAY_ORDER];
    else errors[field] = read.error.issues.map(({ message }) => message);
  }
  for (const field of ['email', 'first_name', 'last_name'] as const)
    if (given[field] === undefined) errors[field] ??= ['Required.'];
  const named = given.chapter ?? otherwise ?? undefined;
  const chapter = named === undefined ? null : chapterOf(String(named), chapters);
  if (!chapter) errors['chapter'] ??= [chapterProblem(named, chapter)];
  const fullName = given.first_name && given.last_name ? `${given.first_name} ${given.last_name}` : null;
  return { given, errors, chapter: chapter ?? null, nameKey: fullName && keyOfName(fullName) };
}

const chapterOf = (named: string, chapters: Context['chapters']): NamedChapter | null | undefined =>
  chapters.has(named) ? chapters.get(named) : chapters.get(named.toLowerCase());

function chapterProblem(named: string | number | undefined, found: null | undefined): string {
  if (named === undefined) return 'Required.';
  return found === null ? 'Several chapters have this name: write its id.' : 'There is no such chapter.';
}

/** Text as it comes back from a table: without signs that none can hold, and without spaces around it. */
export const asInTables = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '').trim();

/** Also of what no table can say: a roster that comes back changes nothing. */
export const isSame = (from: string | number | null, to: string | number): boolean =>
  from === to || (typeof from === 'string' && asInTables(from) === to);

/** Without case, accents and the order of words. */
const keyOfName = (name: string): string =>
  beginningOf(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} ]/gu, '')
      .split(/\s+/)
      .sort()
      .join(' '),
    200,
  );
