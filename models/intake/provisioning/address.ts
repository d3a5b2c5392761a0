/** Addresses made of names. */

/** What letters become that are not made of another and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

const PARTS = ['first', 'last', 'first_initial', 'last_initial'] as const;
const PLACEHOLDER = /\{(\w+)\}/g;
/** What providers take of a local part, with room for a number. */
const LONGEST = 56;
/** Of whose name nothing is left. */
const NAMELESS = 'member';

const known = new Set<string>(PARTS);

/** Letters, digits, dots, dashes and underscores between placeholders, of which there is one at least, and no unknown one. */
export function isTemplate(template: string): boolean {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
  return (
    names.length > 0 &&
    names.every((name) => known.has(name)) &&
    /^[a-z0-9._-]*$/.test(template.replace(PLACEHOLDER, ''))
  );
}

/** As it may stand in an address: small letters without accents, and digits. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => LETTERS[letter] ?? '');

/** The local part for somebody, without a number. No dots at its ends or side by side. */
export function localPartOf(template: string, person: { first_name: string; last_name: string }): string {
  const [first, last] = [plain(person.first_name), plain(person.last_name)];
  const parts: Record<string, string> = {
    first,
    last,
    first_initial: first.slice(0, 1),
    last_initial: last.slice(0, 1),
  };
  const made = template
    .replace(PLACEHOLDER, (_, name: string) => parts[name] ?? '')
    .replace(/([._-])[._-]+/g, '$1')
    .slice(0, LONGEST)
    .replace(/^[._-]+|[._-]+$/g, '');
  return first === '' && last === '' ? NAMELESS : made || NAMELESS;
}
