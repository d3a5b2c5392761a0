/** Which passwords are accepted: length, and strength as zxcvbn estimates it. */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../../errors.js';

export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 128;
/** Of 0 to 4: 'safely unguessable', more than 10^8 guesses. */
const LEAST_SCORE = 3;

// Estimating is synchronous and grows faster than the text: these bounds keep the worst one near 50 ms.
const SCORED_CHARACTERS = 64;
const SUBSTITUTIONS_TRIED = 10;

/** Words that an attacker would try first for this person. */
export interface PasswordOwner {
  email: string;
  first_name: string;
  last_name: string;
}

/** @throws Refusal validation_error on `field`, saying what would help */
export async function requireGoodPassword(password: string, owner: PasswordOwner, field: string): Promise<void> {
  const { length } = Array.from(password);
  if (length < SHORTEST_PASSWORD) throw invalid(field, `Must have at least ${SHORTEST_PASSWORD} characters.`);
  if (length > LONGEST_PASSWORD) throw invalid(field, `Must have at most ${LONGEST_PASSWORD} characters.`);
  const { email, first_name, last_name } = owner;
  const names = [first_name, last_name, `${first_name}.${last_name}`, `${first_name} ${last_name}`];
  const words = [email, ...email.split('@'), ...email.split(/[@.+_-]/), ...names];
  const { score, feedback } = (await estimator()).check(password.slice(0, SCORED_CHARACTERS), words);
  if (score >= LEAST_SCORE) return;
  throw invalid(
    field,
    ['This password is too easy to guess.', feedback.warning, ...feedback.suggestions].filter(Boolean).join(' '),
  );
}

let made: Promise<ZxcvbnFactory> | undefined;

/** Its dictionaries take 200 ms and some megabytes to load, so they wait until a password is chosen. */
function estimator(): Promise<ZxcvbnFactory> {
  made ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(
    ([{ ZxcvbnFactory: Factory }, common, english]) =>
      new Factory({
        dictionary: { ...common.dictionary, ...english.dictionary },
        graphs: common.adjacencyGraphs,
        translations: english.translations,
        l33tMaxSubstitutions: SUBSTITUTIONS_TRIED,
      }),
  );
  return made;
}
