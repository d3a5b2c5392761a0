/** What was answered, held against each question of a form. */
import type { FieldErrors } from '../../errors.js';
import { day, isVisible } from '../../fields.js';
import type { Question } from '../pnm-config/ApplicationConfig.js';
import type { Answer, Sent } from './contents.js';

export const NEEDED = 'This is needed.';

type Given = Exclude<Answer, null>;

/** Adds to `errors` what is wrong. @returns the answers with the wording that was asked, in the order of the form */
export function checkAnswers(
  questions: readonly Question[],
  given: Record<string, Answer>,
  errors: FieldErrors,
): Sent['answers'] {
  const asked = new Map(questions.map((question) => [question.key, question]));
  for (const key of Object.keys(given)) if (!asked.has(key)) errors[`answers.${key}`] = ['This is not asked.'];
  const open = questions.filter(({ is_archived }) => !is_archived);
  return open.flatMap((question) => {
    const { key, label, type, is_required } = question;
    const answer = Object.hasOwn(given, key) ? (given[key] ?? null) : null;
    if (answer === null || isBlank(answer)) {
      if (is_required) errors[`answers.${key}`] = [NEEDED];
      return [];
    }
    const wrong = PROBLEMS[type](question, answer);
    if (wrong !== null) errors[`answers.${key}`] = [wrong];
    return [{ key, label, type, answer }];
  });
}

const isBlank = (answer: Given): boolean =>
  (typeof answer === 'string' || Array.isArray(answer)) && ![answer].flat().some(isVisible);

type Problem = (question: Question, answer: Given) => string | null;

/** @param what is counted, where it is not the value itself */
function outside({ minimum, maximum }: Question, count: number, what = ''): string | null {
  if (minimum !== null && count < minimum) return `Must be at least ${minimum}${what}.`;
  return maximum !== null && count > maximum ? `Must be at most ${maximum}${what}.` : null;
}

const textOf =
  (longest: number): Problem =>
  (question, answer) => {
    if (typeof answer !== 'string') return 'Must be text.';
    const maximum = Math.min(question.maximum ?? longest, longest);
    return outside({ ...question, maximum }, Array.from(answer.trim()).length, ' characters');
  };

const PROBLEMS: Record<Question['type'], Problem> = {
  short: textOf(500),
  long: textOf(10_000),
  single: ({ options }, answer) =>
    typeof answer === 'string' && options.includes(answer) ? null : 'Must be one of the options.',
  multiple: (question, answer) => {
    const { options } = question;
    if (!Array.isArray(answer) || answer.some((one) => !options.includes(one))) return 'Must be some of the options.';
    return new Set(answer).size < answer.length
      ? 'Name each option once.'
      : outside(question, answer.length, ' options');
  },
  number: (question, answer) => (typeof answer === 'number' ? outside(question, answer) : 'Must be a number.'),
  date: (_, answer) => (day.safeParse(answer).success ? null : 'Must be a day, as 2026-09-01.'),
  yes_no: (_, answer) => (typeof answer === 'boolean' ? null : 'Must be yes or no.'),
};
