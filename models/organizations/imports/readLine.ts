/** Parses a line field by field, without looking at other data than the line and the chapters. */
import { z } from 'zod';
import { truncate } from '../../truncate.js';
import type { FieldErrors } from '../../errors.js';
import { birthday, day, emailAddress, name, text } from '../../fields.js';
import { GRADUATION_SEASONS, GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';
import { IMPORT_FIELDS, type ImportField, type Mapping } from './fields.js';
import { type DayOrder, needsOrder, normalizeDay } from './normalizeDay.js';

/** Parsed values of a line; empty cells are left out. */
export type LineValues = Partial<Record<ImportField, string | number>>;

export interface NamedChapter {
  id: string;
  name: string;
  active: boolean;
}

export interface ReadLine {
  given: LineValues;
  errors: FieldErrors;
  chapter: NamedChapter | null;
  nameKey: string | null;
}

const integerBetween = (least: number, highest: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.number().min(least).max(highest));
const oneOfWords = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  normalize: (text: string) => string,
) => z.string().transform(normalize).pipe(z.enum(words));
const toSnakeCase = (value: string) => value.toLowerCase().replaceAll(/[\s-]+/g, '_');

const RULES: Record<ImportField, z.ZodType<string | number>> = {
  email: emailAddress,
  first_name: name(100),
  last_name: name(100),
  chapter: name(200),
  status: oneOfWords(MEMBERSHIP_STATUSES, toSnakeCase),
  role: oneOfWords(MEMBERSHIP_ROLES, toSnakeCase),
  joined_date: day,
  graduation_year: integerBetween(GRADUATION_YEARS.first, GRADUATION_YEARS.last),
  graduation_season: oneOfWords(GRADUATION_SEASONS, (text) => text.toUpperCase()),
  pledge_class: name(100),
  line_number: integerBetween(0, 10_000),
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
const DAY_ORDER_NEEDED =
  'Set `day_order` in the mapping to say whether the month or the day comes first, or write YYYY-MM-DD.';

interface Context {
  mapping: Mapping;
  dayOrder: DayOrder;
  /** Chapters as `chaptersByName` returns them. */
  chapters: ReadonlyMap<string, NamedChapter | null>;
  /** Chapter for lines that name no chapter. */
  chapter: string | null;
}

export function readLine(
  cells: readonly string[],
  { mapping, dayOrder, chapters, chapter: defaultChapter }: Context,
): ReadLine {
  const given: LineValues = {};
  const errors: FieldErrors = {};
  for (const field of IMPORT_FIELDS) {
    const cell = cells[mapping[field] ?? -1]?.trim() ?? '';
    if (cell === '') continue;
    const isDay = DAYS.has(field);
    const parsed = RULES[field].safeParse(isDay ? normalizeDay(cell, dayOrder) : cell);
    if (parsed.success) given[field] = parsed.data;
    else if (isDay && dayOrder === 'ymd' && needsOrder(cell)) errors[field] = [DAY_ORDER_NEEDED];
    else errors[field] = parsed.error.issues.map(({ message }) => message);
  }
  for (const field of ['email', 'first_name', 'last_name'] as const)
    if (given[field] === undefined) errors[field] ??= ['Required.'];
  const chapterName = given.chapter ?? defaultChapter ?? undefined;
  const chapter = chapterName === undefined ? null : chapterOf(String(chapterName), chapters);
  if (!chapter) errors['chapter'] ??= [chapterProblem(chapterName, chapter)];
  const fullName = given.first_name && given.last_name ? `${given.first_name} ${given.last_name}` : null;
  return { given, errors, chapter: chapter ?? null, nameKey: fullName && keyOfName(fullName) };
}

const chapterOf = (chapterName: string, chapters: Context['chapters']): NamedChapter | null | undefined =>
  chapters.has(chapterName) ? chapters.get(chapterName) : chapters.get(chapterName.toLowerCase());

function chapterProblem(chapterName: string | number | undefined, match: null | undefined): string {
  if (chapterName === undefined) return 'Required.';
  return match === null
    ? "Several chapters have this name. Write the chapter's id instead."
    : 'There is no such chapter.';
}

/**
 * Returns text as it would be read back from a spreadsheet: trimmed, and without characters that a spreadsheet cannot
 * hold.
 */
export const asTableText = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '').trim();

/**
 * Reports whether a cell (`to`) holds the value that is already stored (`from`). Characters that a spreadsheet cannot
 * hold are ignored, so that importing an exported roster changes nothing.
 */
export const isSame = (from: string | number | null, to: string | number): boolean =>
  from === to || (typeof from === 'string' && asTableText(from) === to);

/** Returns a name's key, which ignores case, accents and the order of words. */
const keyOfName = (name: string): string =>
  truncate(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} ]/gu, '')
      .split(/\s+/)
      .sort()
      .join(' '),
    200,
  );
