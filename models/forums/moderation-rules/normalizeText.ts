/** Brings texts into the form in which moderation rules are compared, so that look-alike characters hide no word. */

/** Maps each letter to the Latin letter that follows it. */
const tableOf = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.split(' ').map((pair) => Array.from(pair)));

/** Letters that look like Latin ones in both cases, by their lower case. */
const CYRILLIC = 'аa вb ьb сc ԁd еe єe һh нh іi јj кk ӏl мm оo рp ԛq гr ѕs тt ѵv ԝw ѡw хx уy үy';
const GREEK = 'αa βb εe ιi ϳj κk οo ρp τt χx ζz ςσ';
/** Greek letters whose two cases look like different Latin letters: as the capital letter looks. */
const LIKE_CAPITALS = tableOf(`${CYRILLIC} ${GREEK} ηh μm νn υy`);
/** Letters that look like Latin ones, where upper and lower case may look like different ones. */
const AS_TYPED = tableOf(`${CYRILLIC} ${GREEK} Ηh Μm Νn Υy γy ηn μu νv υu σo ςc ωw`);

const GREEK_OR_CYRILLIC = /[\u0370-\u03ff\u0400-\u052f]/g;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** Longer runs of combining marks take quadratic time to normalize. */
const LONG_MARKS = /(\p{M}{8})\p{M}+/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?!\s)\p{Cc}/gu;
/** Marks of no script, which strike out or decorate letters, and which no letter is composed with. */
const DECORATION = /\p{Script=Inherited}/gu;

const asLatin = (text: string, table: Readonly<Record<string, string>>): string =>
  text.replaceAll(GREEK_OR_CYRILLIC, (letter) => table[letter] ?? letter);

const composed = (text: string): string => text.normalize('NFC').replaceAll(DECORATION, '');

/**
 * Returns a text in compatibility form (NFKC), in lower case, without invisible characters, and with Latin letters in
 * place of Cyrillic and Greek ones that look like them. A text with Greek letters that look like two Latin letters has a
 * second form.
 */
export function normalizedForms(text: string): [string, ...string[]] {
  if (PLAIN.test(text)) return [text.toLowerCase()];
  // Marks are decomposed, so that a letter with an accent is looked up without it.
  const visible = text.replaceAll(LONG_MARKS, '$1').normalize('NFKD').replaceAll(INVISIBLE, '');
  const form = composed(asLatin(visible.toLowerCase(), LIKE_CAPITALS));
  const second = composed(asLatin(asLatin(visible, AS_TYPED).toLowerCase(), AS_TYPED));
  return second === form ? [form] : [form, second];
}
