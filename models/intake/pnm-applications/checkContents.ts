import { z } from 'zod';
import { createBody } from '../../database/model/schemas.js';
import { type FieldErrors, refuse } from '../../errors.js';
import { email, recordId, text } from '../../fields.js';
import { sentence } from '../../sentences.js';
import type { ShownConfig } from '../pnm-config/config.js';
import { STANDARD_FIELDS, type StandardField } from '../pnm-config/vocabulary.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { type Referee, RefereeFields } from '../reference-letters/requestLetter.js';
import { checkAnswers, NEEDED } from './checkAnswers.js';
import type { Contents, Sent } from './contents.js';
import type { AskedConsent } from './publicForm.js';

const Person = z.object({ email, first_name: text(100), last_name: text(100), chapter: recordId });
const Standard = z
  .object(createBody(PnmProfile).shape)
  .pick(Object.fromEntries(STANDARD_FIELDS.map((name) => [name, true])) as Record<StandardField, true>);

export interface CheckedApplication {
  email: string;
  chapter: string;
  sent: Sent;
}

/** Standard fields without which a form is not whole: where there is a minimum, an average, too. */
export const neededFields = ({ required_fields, minimum_gpa }: ShownConfig): StandardField[] => [
  ...new Set([...required_fields, ...(minimum_gpa === null ? [] : (['gpa'] as const))]),
];

/**
 * Holds what was typed against what the form asks. All that is wrong is said at once, by field and question.
 * @throws Refusal validation_error; gpa_below_minimum where the form refuses it, and nothing else is wrong
 */
export function checkContents(
  form: { config: ShownConfig; consents: readonly AskedConsent[] },
  { answers = {}, consents = [], referees = [], ...typed }: Contents,
): CheckedApplication {
  const errors: FieldErrors = {};
  const { config } = form;
  const said = withoutBlanks(typed);
  const person = parsed(Person, pick(said, Object.keys(Person.shape)), errors);
  const standard = parsed(Standard, pick(said, STANDARD_FIELDS), errors);
  for (const name of neededFields(config)) if (said[name] === undefined) errors[name] ??= [NEEDED];
  const gpa = typeof said['gpa'] === 'number' ? said['gpa'] : null;
  if (gpa !== null && gpa > config.gpa_scale) errors['gpa'] ??= [`Must be from 0 to ${config.gpa_scale}.`];
  const given = {
    fields: (standard ?? {}) as Sent['fields'],
    answers: checkAnswers(config.questions, answers, errors),
    consents: checkConsents(form.consents, consents, errors),
    referees: checkReferees(config.reference_letters, referees, person?.email, errors),
  };
  if (person === null || Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
  const belowMinimumGpa = gpa !== null && config.minimum_gpa !== null && gpa < config.minimum_gpa;
  if (belowMinimumGpa && config.gpa_gate === 'refuse') {
    const detail = `The minimum is ${config.minimum_gpa} of ${config.gpa_scale}.`;
    throw intakeErrors.gpa_below_minimum(detail, { gpa: [detail] });
  }
  const { email: address, chapter, ...named } = person;
  return { email: address, chapter, sent: { person: named, belowMinimumGpa, ...given } };
}

/** An empty field of a form is one that nobody has filled in. */
const withoutBlanks = (typed: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value != null && !(typeof value === 'string' && value.trim() === '')),
  );

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

function parsed<S extends z.ZodType>(schema: S, value: unknown, errors: FieldErrors): z.output<S> | null {
  const { data, error } = schema.safeParse(value, { error: sentence });
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= [message];
  return data ?? null;
}

function checkConsents(asked: readonly AskedConsent[], given: Contents['consents'] & object, errors: FieldErrors) {
  const byTemplate = new Map(given.map((one) => [one.template.toLowerCase(), one]));
  return asked.flatMap(({ template, title, method, version, text_hash }): Sent['consents'] => {
    const wrong = (message: string) => {
      errors[`consents.${template}`] = [message];
      return [];
    };
    const one = byTemplate.get(template);
    if (!one) return wrong(NEEDED);
    if (one.version !== version || one.text_hash !== text_hash) return wrong('The text has changed. Read it again.');
    const typed_name = one.typed_name?.trim() || null;
    if (method === 'typed_name' && typed_name === null) return wrong('Type your name.');
    return [{ template, title, version, text_hash, typed_name: method === 'typed_name' ? typed_name : null }];
  });
}

/** As many as are asked for, each somebody else, and nobody the applicant. */
function checkReferees(
  asked: number,
  given: Contents['referees'] & object,
  applicant: string | undefined,
  errors: FieldErrors,
): Referee[] {
  const seen = new Set<string>();
  return Array.from({ length: asked }, (_, n) => withoutBlanks(given[n] ?? {})).flatMap((typed, n) => {
    const wrong: FieldErrors = {};
    const referee = parsed(RefereeFields, typed, wrong);
    if (referee?.email === applicant) wrong['email'] = ['Nobody writes a letter about themselves.'];
    else if (referee && seen.has(referee.email)) wrong['email'] = ['Is named above already.'];
    for (const [name, texts] of Object.entries(wrong)) errors[`referees.${n}.${name}`] = texts;
    if (!referee) return [];
    seen.add(referee.email);
    return [referee];
  });
}
