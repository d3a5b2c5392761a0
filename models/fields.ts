/** Rules for fields that many resources share. */
import { z } from 'zod';

/** An id given by a client. */
export const recordId = z.uuid().toLowerCase();

/**
 * Whether a reader sees anything of the text: it has a character other than white space, controls, combining marks, and
 * characters without a glyph (zero-width space, Hangul filler, blank Braille pattern).
 */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Z}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Reports whether the text is empty or visible. An empty text passes, because `min(1)` reports it with a message of its
 * own.
 */
const isEmptyOrVisible = (text: string): boolean => text === '' || isVisible(text);

/** Text typed by people, trimmed. */
export const text = (longest: number) =>
  z.string().trim().min(1, 'Must not be empty.').refine(isEmptyOrVisible, 'Must not be empty.').max(longest);

/** One line of text, which may become a mail subject. */
// oxlint-disable-next-line eslint/no-control-regex -- `\P{Cc}` says the same, and is unknown to Python
export const line = (longest: number) => text(longest).regex(/^[^\x00-\x1f\x7f-\x9f]*$/, 'Must be one line.');

/**
 * The name of a person, an organization, a chapter, or another thing: on one line, in Unicode normalization form C, so that equal
 * names have equal bytes. Characters that change the direction of the text around them are refused: a name is shown within
 * sentences.
 */
export const name = (longest: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .min(1, 'Must not be empty.')
    .refine(isEmptyOrVisible, 'Must have visible characters.')
    .refine((text) => !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(text), 'Must be one line, without control characters.')
    .refine((text) => !/\p{Bidi_Control}/u.test(text), 'Must not have characters that control the direction of text.')
    .max(longest);

/**
 * Converts a name from another system to one that `name` accepts: characters that `name` refuses become spaces.
 * @param longest in code points
 * @returns null when no visible character remains
 */
export function nameFrom(rawName: string | null, longest: number): string | null {
  const text = (rawName ?? '')
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  return isVisible(text) ? Array.from(text).slice(0, longest).join('').trim() : null;
}

/**
 * Idempotency key chosen by a client. There is no common store of keys: each operation recognizes its own repeated
 * requests.
 */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/, 'Use 1 to 100 characters of ASCII without spaces.');

/** Domain of the placeholder addresses of erased accounts. */
export const ERASED_DOMAIN = 'erased.invalid';

/**
 * An e-mail address from any source: forms, admins, identity providers. Non-ASCII letters are refused before
 * lower-casing could change them: the Kelvin sign in lower case is a k, and the result would be another person's
 * mailbox.
 */
export const emailAddress = z
  .string()
  .trim()
  .pipe(
    z
      .email()
      .max(254)
      .toLowerCase()
      .refine((address) => !address.endsWith(`@${ERASED_DOMAIN}`), 'This address belongs to a deleted account.'),
  );
export const email = emailAddress.meta({ example: 'sam@example.org' });

/** The days that the API accepts. Postgres accepts earlier and later ones, but those can only be typing errors. */
const FIRST_DAY = '1800-01-01';
export const LAST_DAY = '2200-12-31';

/** A calendar day, from a client. */
export const day = z.iso
  .date()
  // A pipe runs the second check only if the first passes, so that only one fault is reported.
  .pipe(z.string().refine((text) => text >= FIRST_DAY && text <= LAST_DAY, `Must be from ${FIRST_DAY} to ${LAST_DAY}.`))
  .meta({ example: '2025-09-01' });

const today = (): string => new Date().toISOString().slice(0, 10);

/** A date of birth. */
export const birthday = day
  .refine((on) => on >= '1900-01-01', 'Must be from 1900-01-01 on.')
  .refine((on) => on <= today(), 'Must not be in the future.');

/** A timestamp in an API response. */
export const moment = z.iso.datetime({ offset: true });

/**
 * Range of accepted timestamps, the same days as for `day`. Timestamps are checked separately, because an offset can
 * move one out of the years that Postgres and JSON write in the same form.
 */
const FIRST_MOMENT = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const LAST_MOMENT = Date.parse(`${LAST_DAY}T23:59:59.999Z`);

/** A timestamp with offset, from a client. */
export const inputMoment = moment
  // A text that is no timestamp has its own error.
  .refine(
    (at) => !(Date.parse(at) < FIRST_MOMENT || Date.parse(at) > LAST_MOMENT),
    'Must be in the years 1800 to 2200.',
  )
  .meta({ example: '2026-11-22T10:00:00.000Z' });

/** A time, from a client, at which something is planned to happen: at most a year ahead, so that a mistyped century is refused. */
export const plannedMoment = inputMoment.refine((at) => !isOverYearAhead(new Date(at)), 'Must be within a year.');

/** Reports whether a time is later than the same time of next year. An invalid time is not: it has an error of its own. */
function isOverYearAhead(at: Date): boolean {
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  return at > latest;
}

/**
 * Refinement for the two dates or times of a range: the first must not be after the last. @param last the field that
 * errors name
 */
export const inOrder = <First extends string, Last extends string>(first: First, last: Last) =>
  [
    (range: { [Name in First | Last]?: string | undefined }): boolean => {
      const [from, to] = [range[first], range[last]];
      return from === undefined || to === undefined || from <= to;
    },
    { path: [last], message: `Must not be before ${first}.` },
  ] as [(range: { [Name in First | Last]?: string | undefined }) => boolean, { path: string[]; message: string }];

/** Maximum of a single rate, fee or limit, in minor units: one million in a currency with cents. */
export const MAX_CENTS = 100_000_000;

/** An amount in an API response. */
export const cents = z.int();

/** The version of a row in an API response. */
export const version = z.int();

/** Version of the row that the editor saw, in a request body. */
export const seenVersion = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .meta({ description: 'The version that you read. If the row has changed since, the answer is 409.' });

/** Hash of a preview, to confirm exactly that preview. */
export const previewHash = z.string().regex(/^[0-9a-f]{64}$/, 'Send the preview_hash of a preview.');

/** A boolean query parameter. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A query parameter with search terms. */
export const searchText = z.string().trim().max(100).optional();

/** Reports whether the name is a time zone. Fixed offsets are refused, because they have no daylight saving time. */
function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
/** An IANA time zone. */
export const timezone = z
  .string()
  .max(64)
  .refine(isZone, 'Must be a name of the tz database, for example America/New_York.');
