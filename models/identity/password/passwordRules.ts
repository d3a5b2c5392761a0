/** Rules for new passwords: length, and strength as zxcvbn estimates it. */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../../errors.js';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
/** Minimum zxcvbn score, on a scale of 0 to 4: 'safely unguessable', more than 10^8 guesses. */
const MIN_SCORE = 3;

// zxcvbn runs synchronously, and its time grows faster than the password's length. These limits keep the worst case
// near 50 ms.
const MAX_SCORED_CHARACTERS = 64;
const MAX_SUBSTITUTIONS = 10;

/**
 * The person's own names and e-mail address. Passwords that contain them are weak, because an attacker tries them
 * first.
 */
export interface PasswordOwner {
  email: string;
  first_name: string;
  last_name: string;
}

/**
 * Requires a strong enough password.
 * @throws Refusal validation_error on `field`, with a hint on what would help
 */
export async function requireGoodPassword(password: string, owner: PasswordOwner, field: string): Promise<void> {
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) throw invalid(field, `Must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (length > MAX_PASSWORD_LENGTH) throw invalid(field, `Must have at most ${MAX_PASSWORD_LENGTH} characters.`);
  const { email, first_name, last_name } = owner;
  const names = [first_name, last_name, `${first_name}.${last_name}`, `${first_name} ${last_name}`];
  const words = [email, ...email.split('@'), ...email.split(/[@.+_-]/), ...names];
  const { score, feedback } = (await loadEstimator()).check(password.slice(0, MAX_SCORED_CHARACTERS), words);
  if (score >= MIN_SCORE) return;
  throw invalid(
    field,
    ['This password is too easy to guess.', feedback.warning, ...feedback.suggestions].filter(Boolean).join(' '),
  );
}

let estimatorPromise: Promise<ZxcvbnFactory> | undefined;

/** Loads the estimator once, when a password is first chosen: its dictionaries take 200 ms and some megabytes. */
function loadEstimator(): Promise<ZxcvbnFactory> {
  estimatorPromise ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(
    ([{ ZxcvbnFactory: Factory }, common, english]) =>
      new Factory({
        dictionary: { ...common.dictionary, ...english.dictionary },
        graphs: common.adjacencyGraphs,
        translations: english.translations,
        l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
      }),
  );
  return estimatorPromise;
}
