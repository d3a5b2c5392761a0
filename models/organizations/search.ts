/**
 * Search keys: what a search compares, without regard to case, accents and Unicode form. `Zoë`, `ZOE` and `zoe` have the key `zoe`.
 * `searchKey` and `searchKeyOf` have to agree: `test/models/searchKeys.test.ts` compares them.
 */

/** Letters that have no accent to remove in Unicode, but are written without it on other keyboards; and the two small sigmas. */
const FOLDED = ['øłđıς', 'oldiσ'] as const;

/**
 * SQL of the key of a text. Indexes are made of this very expression (`0295-search-keys.ts`), so that a change needs a migration.
 * ASCII takes the short way: it costs a seventh.
 * @param text SQL
 */
export const searchKey = (
  text: string,
): string => String.raw`CASE WHEN octet_length(${text}) = length(${text}) THEN lower(${text})
  ELSE translate(lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g')), '${FOLDED[0]}', '${FOLDED[1]}') END`;

/** The key of a typed text. */
export const searchKeyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđıς]/g, (letter) => FOLDED[1][FOLDED[0].indexOf(letter)] as string);

/** The key with its wildcards escaped. */
const escapedKeyOf = (text: string): string => searchKeyOf(text).replaceAll(/[\\%_]/g, String.raw`\$&`);

/** A pattern for LIKE that finds keys, addresses and slugs that contain `text`. */
export const containing = (text: string): string => `%${escapedKeyOf(text)}%`;

/** The same of those that begin with it. */
export const startingWith = (text: string): string => `${escapedKeyOf(text)}%`;

/** SQL of whether the key of one of several texts is like a pattern. @param pattern SQL, as `containing` has it */
export const anyLike = (texts: readonly string[], pattern: string): string =>
  `(${texts.map((text) => `${searchKey(text)} LIKE ${pattern}`).join(' OR ')})`;
