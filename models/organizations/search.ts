/**
 * Search keys: texts are compared without regard to case, accents and Unicode form. `Zoë`, `ZOE` and `zoe` have the key
 * `zoe`. `searchKey` and `searchKeyOf` must agree; `test/models/searchKeys.test.ts` compares them.
 */

/**
 * Letters that Unicode cannot split into a plain letter and an accent, but that people also type as a plain letter (ø
 * as o). The Greek final sigma ς is treated as σ.
 */
const FOLDED = ['øłđıς', 'oldiσ'] as const;

/**
 * Returns SQL of a text's search key. Indexes use exactly this expression (`schema/identity/baseline/people.sql`), so a
 * change needs a migration. Texts with only ASCII characters take a shorter path, at a seventh of the cost.
 * @param text SQL
 */
export const searchKey = (
  text: string,
): string => String.raw`CASE WHEN octet_length(${text}) = length(${text}) THEN lower(${text})
  ELSE translate(lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g')), '${FOLDED[0]}', '${FOLDED[1]}') END`;

/** Returns the key of a typed text. */
export const searchKeyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđıς]/g, (letter) => FOLDED[1][FOLDED[0].indexOf(letter)] as string);

/** Returns the key with its wildcards escaped. */
const escapedKeyOf = (text: string): string => searchKeyOf(text).replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Returns a LIKE pattern for keys, addresses and slugs that contain `text`. */
export const containing = (text: string): string => `%${escapedKeyOf(text)}%`;

/** Returns a LIKE pattern for keys, addresses and slugs that begin with `text`. */
export const startingWith = (text: string): string => `${escapedKeyOf(text)}%`;

/**
 * Returns an SQL condition: at least one of several texts has a key that matches the pattern.
 * @param pattern SQL of a pattern from `containing`
 */
export const anyLike = (texts: readonly string[], pattern: string): string =>
  `(${texts.map((text) => `${searchKey(text)} LIKE ${pattern}`).join(' OR ')})`;
