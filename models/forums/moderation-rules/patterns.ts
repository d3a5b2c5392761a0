/** Patterns of moderation rules. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { normalizedForms } from './normalizeText.js';

export const MAX_PATTERN_LENGTH = 200;
const MAX_WORDS = 10;
const MAX_WILDCARDS = 5;

/** Letters and digits of all scripts; marks belong to the letter before them. */
export const WORD_CHARACTERS = String.raw`\p{L}\p{N}\p{M}`;

const PATTERN_WORD = new RegExp(`[${WORD_CHARACTERS}*]+`, 'gu');
const BEGINS_AND_ENDS = new RegExp(`^[${WORD_CHARACTERS}*](.*[${WORD_CHARACTERS}*])?$`, 'su');
const HAS_LETTER = new RegExp(`[${WORD_CHARACTERS}]`, 'u');
const ADDRESS_CHARACTERS = /[\s/\\:@?#%*]/;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}$/;

/** Returns the words of a keyword pattern in normalized form; `*` stands for letters and digits of a word. */
export const wordsOfPattern = (pattern: string): string[] => normalizedForms(pattern)[0].match(PATTERN_WORD) ?? [];

/** Returns the normalized forms of a domain, in Unicode. */
export const domainForms = (domain: string): string[] => normalizedForms(domainToUnicode(domain) || domain);

/** Returns what is wrong with a pattern, or null. */
export function problemOfPattern(kind: 'keyword' | 'link', pattern: string): string | null {
  if (kind === 'link')
    return !ADDRESS_CHARACTERS.test(pattern) && DOMAIN.test(domainToASCII(pattern))
      ? null
      : 'Enter a domain, such as example.com, without address or path.';
  const words = wordsOfPattern(pattern);
  if (!BEGINS_AND_ENDS.test(normalizedForms(pattern)[0])) return 'Must begin and end with a letter, a digit or *.';
  if (words.some((word) => !HAS_LETTER.test(word))) return 'Each word must have a letter or a digit.';
  if (words.length > MAX_WORDS) return `Must have at most ${MAX_WORDS} words.`;
  if (pattern.split('*').length - 1 > MAX_WILDCARDS) return `Must have at most ${MAX_WILDCARDS} of the character *.`;
  return null;
}
