/** Checks the answers of an applicant against the questions of a form. */
import type { FieldErrors } from '../../errors.js';
import { day, isVisible } from '../../fields.js';
import type { Question } from '../pnm-config/ApplicationConfig.js';
import type { Answer, SubmittedContents } from './contents.js';

export const NEEDED = 'This is needed.';

type NonNullAnswer = Exclude<Answer, null>;

/**
 * Checks the answers and adds the problems to `errors`. @returns the answers with the wording of their questions, in
 * the order of the form
 */
export function checkAnswers(
  questions: readonly Question[],
  answers: Record<string, Answer>,
  errors: FieldErrors,
): SubmittedContents['answers'] {
  const questionsByKey = new Map(questions.map((question) => [question.key, question]));
  for (const key of Object.keys(answers))
    if (!questionsByKey.has(key)) errors[`answers.${key}`] = ['There is no such question.'];
  const open = questions.filter(({ is_archived }) => !is_archived);
  return open.flatMap((question) => {
    const { key, label, type, is_required } = question;
    const answer = Object.hasOwn(answers, key) ? (answers[key] ?? null) : null;
    if (answer === null || isBlank(answer)) {
      if (is_required) errors[`answers.${key}`] = [NEEDED];
      return [];
    }
    const problem = PROBLEMS[type](question, answer);
    if (problem !== null) errors[`answers.${key}`] = [problem];
    return [{ key, label, type, answer }];
  });
}

const isBlank = (answer: NonNullAnswer): boolean =>
  (typeof answer === 'string' || Array.isArray(answer)) && ![answer].flat().some(isVisible);

type Problem = (question: Question, answer: NonNullAnswer) => string | null;

/**
 * Returns an error text if the count (characters, chosen options, or the entered number itself) is outside the
 * question's limits, else null.
 * @param unit text after the limit, for example ' characters'; empty for an entered number
 */
function rangeProblem({ minimum, maximum }: Question, count: number, unit = ''): string | null {
  if (minimum !== null && count < minimum) return `Must be at least ${minimum}${unit}.`;
  return maximum !== null && count > maximum ? `Must be at most ${maximum}${unit}.` : null;
}

const checkText =
  (maxLength: number): Problem =>
  (question, answer) => {
    if (typeof answer !== 'string') return 'Must be text.';
    const maximum = Math.min(question.maximum ?? maxLength, maxLength);
    return rangeProblem({ ...question, maximum }, Array.from(answer.trim()).length, ' characters');
  };

const PROBLEMS: Record<Question['type'], Problem> = {
  short: checkText(500),
  long: checkText(10_000),
  single: ({ options }, answer) =>
    typeof answer === 'string' && options.includes(answer) ? null : 'Must be one of the options.',
  multiple: (question, answer) => {
    const { options } = question;
    if (!Array.isArray(answer) || answer.some((one) => !options.includes(one))) return 'Must be some of the options.';
    return new Set(answer).size < answer.length
      ? 'Name each option once.'
      : rangeProblem(question, answer.length, ' options');
  },
  number: (question, answer) => (typeof answer === 'number' ? rangeProblem(question, answer) : 'Must be a number.'),
  date: (_, answer) => (day.safeParse(answer).success ? null : 'Must be a day, as 2026-09-01.'),
  yes_no: (_, answer) => (typeof answer === 'boolean' ? null : 'Must be yes or no.'),
};
