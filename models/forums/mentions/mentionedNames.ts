/** Finds the people whom a text names: `@username`. */
import { proseOf } from '../../markdown.js';
import { forumErrors } from '../errors.js';

const MAX_NAMES = 20;

/** Name of a person as a text contains it. */
export interface MentionedName {
  /** The name without full stops, hyphens and underscores at its end, which may belong to the sentence. */
  name: string;
  /** The name with them. */
  typed: string;
}

/** An `@` that neither continues a word or an address nor begins one, and the characters of user names after it. */
const MENTION = /(?<![\p{L}\p{N}_@/.+=&#%~])@([A-Za-z0-9._-]+)(?![\p{L}\p{N}@/])/gu;

/** An address of a page may contain an `@`. */
const isAddress = (word: string): boolean => word.includes('://') || word.toLowerCase().includes('www.');

export interface WrittenText {
  title?: string | null | undefined;
  body?: string | null | undefined;
}

/**
 * Finds the names in a text, each once, in their order. Code, quotes, links and addresses are skipped.
 * @throws Refusal too_many_mentions
 */
export function findMentionedNames({ title, body }: WrittenText): MentionedName[] {
  return namesIn({ title: title ?? '', body: body ?? '' });
}

/** Finds the names that a text gets by an edit. @throws Refusal too_many_mentions */
export function findNewNames(before: WrittenText, edit: WrittenText): MentionedName[] {
  const known = new Set(findMentionedNames(before).map(({ name }) => name));
  const after = { title: edit.title ?? before.title, body: edit.body ?? before.body };
  return findMentionedNames(after).filter(({ name }) => !known.has(name));
}

/** Removes full stops, hyphens and underscores at the end. A regular expression would take quadratic time for a long run. */
function withoutEnd(typed: string): string {
  let end = typed.length;
  while (end > 0 && '._-'.includes(typed[end - 1] as string)) end -= 1;
  return typed.slice(0, end);
}

function namesIn({ title, body }: { title: string; body: string }): MentionedName[] {
  if (!title.includes('@') && !body.includes('@')) return [];
  const names = new Map<string, MentionedName>();
  for (const word of `${title}\n${proseOf(body)}`.split(/\s+/u).filter((one) => !isAddress(one)))
    for (const [, run = ''] of word.matchAll(MENTION)) {
      const typed = run.toLowerCase();
      const name = withoutEnd(typed);
      if (name.length >= 3 && name.length <= 30 && !names.has(name)) names.set(name, { name, typed });
    }
  if (names.size > MAX_NAMES)
    throw forumErrors.too_many_mentions(undefined, { body: [`At most ${MAX_NAMES} people can be mentioned.`] });
  return [...names.values()];
}
