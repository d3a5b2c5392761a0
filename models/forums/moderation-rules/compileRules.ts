/** Compares texts with all moderation rules of an organization at once, in time that is linear in the text. */
import { domainToUnicode } from 'node:url';
import { normalizedForms } from './normalizeText.js';
import { domainForms, WORD_CHARACTERS, wordsOfPattern } from './patterns.js';

/** The part of a rule that is compared. */
export interface RulePattern {
  kind: 'keyword' | 'link';
  pattern: string;
}

/** A text that people wrote, with the HTML that was rendered from it. */
export interface ModeratedText {
  title?: string | undefined;
  body: string;
  html: string;
  fileNames?: readonly string[];
}

/** Returns the rules that match a text, in their order. */
export type RuleMatcher<Rule extends RulePattern> = (text: ModeratedText) => Rule[];

const WORD = new RegExp(`[${WORD_CHARACTERS}]+`, 'gu');
const HOST = new RegExp(`[${WORD_CHARACTERS}._-]+`, 'gu');
const INLINE_TAG = /^<\/?(?:a|b|code|em|i|s|strong|sub|sup|u)[ >]/;
const LONGEST_DOMAIN = 253;

/** Compiles rules. The result may be kept and used for any number of texts. */
export function compileRules<Rule extends RulePattern>(rules: readonly Rule[]): RuleMatcher<Rule> {
  const findKeywords = compileKeywords(rules.filter(({ kind }) => kind === 'keyword'));
  const findDomains = compileDomains(rules.filter(({ kind }) => kind === 'link'));
  return ({ title = '', body, html, fileNames = [] }) => {
    const links = linksOf(html).flatMap(addressesOf);
    const fields = [title, body, textOf(html), ...links, ...fileNames].flatMap(normalizedForms);
    const found = new Set<Rule>();
    findKeywords(fields, found);
    findDomains(fields, found);
    return rules.filter((rule) => found.has(rule));
  };
}

/** A word with `*`: the parts between, in their order. */
interface Wildcard {
  first: string;
  middle: string[];
  last: string;
  minLength: number;
  places: number[];
}

/**
 * Compiles keywords. Each word of each pattern is a place. A text word that fits a place, after the place before it was
 * reached by the word before, reaches the place; the last place of a pattern is a match.
 */
function compileKeywords<Rule extends RulePattern>(rules: readonly Rule[]) {
  const places: { rule: Rule; isFirst: boolean; isLast: boolean }[] = [];
  const placesOfWord = new Map<string, number[]>();
  const wildcards = new Map<string, Wildcard>();
  for (const rule of rules) {
    const words = wordsOfPattern(rule.pattern);
    words.forEach((word, at) => {
      const place = places.push({ rule, isFirst: at === 0, isLast: at === words.length - 1 }) - 1;
      if (!word.includes('*')) placesOfWord.set(word, [...(placesOfWord.get(word) ?? []), place]);
      else if (wildcards.has(word)) wildcards.get(word)?.places.push(place);
      else wildcards.set(word, wildcardOf(word, place));
    });
  }
  const fits = indexWildcards([...wildcards.values()]);

  return (fields: readonly string[], found: Set<Rule>): void => {
    const placesSeen = new Map<string, readonly number[]>();
    /** Number of the text word that may reach a place. */
    const reachableBy = new Int32Array(places.length + 1);
    let number = 1;
    for (const field of fields) {
      number += 2;
      for (const [word] of field.matchAll(WORD)) {
        number += 1;
        let fitting = placesSeen.get(word);
        if (fitting === undefined) {
          // The last place first: for `bye bye`, a word reaches the second place before it makes the next word reach it.
          fitting = [...(placesOfWord.get(word) ?? []), ...fits(word)].sort((a, b) => b - a);
          placesSeen.set(word, fitting);
        }
        for (const place of fitting) {
          const { rule, isFirst, isLast } = places[place] as (typeof places)[number];
          if (!isFirst && reachableBy[place] !== number) continue;
          if (isLast) found.add(rule);
          else reachableBy[place + 1] = number + 1;
        }
      }
    }
  };
}

function wildcardOf(word: string, place: number): Wildcard {
  const parts = word.split('*');
  const [first, last] = [parts[0], parts.at(-1)] as [string, string];
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  return { first, middle, last, minLength: parts.join('').length, places: [place] };
}

/** Returns a function that finds the places of the wildcards that a word fits. */
function indexWildcards(wildcards: readonly Wildcard[]): (word: string) => number[] {
  const groups = new Map<string, Wildcard[]>();
  // A word is compared only with wildcards that begin, or else end, with its letter.
  const keyOf = ({ first, last }: Wildcard) => (first ? `${first[0]}*` : `*${last.at(-1) ?? ''}`);
  for (const wildcard of wildcards) groups.set(keyOf(wildcard), [...(groups.get(keyOf(wildcard)) ?? []), wildcard]);
  return (word) =>
    [`${word[0]}*`, `*${word.at(-1)}`, '*']
      .flatMap((key) => groups.get(key) ?? [])
      .filter((wildcard) => fitsWildcard(word, wildcard))
      .flatMap(({ places }) => places);
}

function fitsWildcard(word: string, { first, middle, last, minLength }: Wildcard): boolean {
  if (word.length < minLength || !word.startsWith(first) || !word.endsWith(last)) return false;
  let at = first.length;
  for (const part of middle) {
    const found = word.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= word.length - last.length;
}

/** Compiles domains. A rule matches its domain and all subdomains, in links and as a word of the text. */
function compileDomains<Rule extends RulePattern>(rules: readonly Rule[]) {
  const rulesOfDomain = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const form of domainForms(rule.pattern)) rulesOfDomain.set(form, [...(rulesOfDomain.get(form) ?? []), rule]);

  const look = (host: string, found: Set<Rule>): void => {
    for (let dot = host.length; dot !== -1 && host.length - dot <= LONGEST_DOMAIN; ) {
      dot = host.lastIndexOf('.', dot - 1);
      for (const rule of rulesOfDomain.get(host.slice(dot + 1)) ?? []) found.add(rule);
    }
  };
  return (fields: readonly string[], found: Set<Rule>): void => {
    if (rulesOfDomain.size === 0) return;
    for (const field of fields)
      for (const [word] of field.replaceAll('。', '.').matchAll(HOST)) {
        if (!word.includes('.')) continue;
        const host = trimmed(word);
        look(host, found);
        if (host.includes('xn--')) for (const form of normalizedForms(domainToUnicode(host))) look(form, found);
      }
  };
}

/** Removes dots and hyphens at both ends. A regular expression would take quadratic time for a long run of them. */
function trimmed(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && '._-'.includes(word[start] as string)) start += 1;
  while (end > start && '._-'.includes(word[end - 1] as string)) end -= 1;
  return word.slice(start, end);
}

/** Returns the link itself, with its escapes decoded, and the host to which a browser would go. */
function addressesOf(link: string): string[] {
  const host = URL.canParse(link) ? new URL(link).hostname : '';
  const decoded = link.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
  return decoded === link ? [link, host] : [link, decoded, host];
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const decode = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name] as string);

/** Returns the text that a reader sees; `html` is sanitized, so that `<` only begins tags. */
const textOf = (html: string): string =>
  decode(html.replaceAll(/<[^>]*>/g, (tag) => (INLINE_TAG.test(tag) ? '' : '\n')));

const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => decode(href));
