/** Builds the addresses of office-suite accounts from names. */

/** Replacements for letters that do not decompose into a base letter and an accent. */
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
/** Maximum length of a local part, with room for a number. */
const MAX_LENGTH = 56;
/** Local part for a name without usable letters. */
const DEFAULT_LOCAL_PART = 'member';

const partNames = new Set<string>(PARTS);

/**
 * Reports whether an address template is valid: known placeholders, at least one, with only letters, digits, dots,
 * dashes and underscores between them.
 */
export function isTemplate(template: string): boolean {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
  return (
    names.length > 0 &&
    names.every((name) => partNames.has(name)) &&
    /^[a-z0-9._-]*$/.test(template.replace(PLACEHOLDER, ''))
  );
}

/** Reduces a name to digits and lowercase letters without accents. */
const toAscii = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => LETTERS[letter] ?? '');

/**
 * Returns the local part of a person's address, without a number. It neither begins nor ends with a dot, and has no two
 * dots in a row.
 */
export function localPartOf(template: string, person: { first_name: string; last_name: string }): string {
  const [first, last] = [toAscii(person.first_name), toAscii(person.last_name)];
  const parts: Record<string, string> = {
    first,
    last,
    first_initial: first.slice(0, 1),
    last_initial: last.slice(0, 1),
  };
  const localPart = template
    .replace(PLACEHOLDER, (_, name: string) => parts[name] ?? '')
    .replace(/([._-])[._-]+/g, '$1')
    .slice(0, MAX_LENGTH)
    .replace(/^[._-]+|[._-]+$/g, '');
  return first === '' && last === '' ? DEFAULT_LOCAL_PART : localPart || DEFAULT_LOCAL_PART;
}
