import { z } from 'zod';
import { createBody } from '../../database/model/schemas.js';
import { type FieldErrors, refuse } from '../../errors.js';
import { email, emailAddress, isVisible, name, recordId } from '../../fields.js';
import { sentence } from '../../sentences.js';
import type { ShownConfig } from '../pnm-config/config.js';
import { STANDARD_FIELDS, type StandardField } from '../pnm-config/vocabulary.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { mailboxOf } from '../reference-letters/mailbox.js';
import { type Referee, RefereeFields } from '../reference-letters/requestLetter.js';
import { checkAnswers, NEEDED } from './checkAnswers.js';
import type { Contents, Sent } from './contents.js';
import type { AskedConsent } from './publicForm.js';

const Person = z.object({ email, first_name: name(100), last_name: name(100), chapter: recordId });
const TypedName = name(200);
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
    referees: checkReferees(config.reference_letters, referees, emailAddress.safeParse(said['email']).data, errors),
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

/** Leaves out empty fields: a field in which nothing is visible counts as empty. */
const withoutBlanks = (typed: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value != null && !(typeof value === 'string' && !isVisible(value))),
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
    if (method !== 'typed_name') return [{ template, title, version, text_hash, typed_name: null }];
    if (!isVisible(one.typed_name ?? '')) return wrong('Type your name.');
    const { data: typed_name, error } = TypedName.safeParse(one.typed_name, { error: sentence });
    if (error) return wrong(error.issues[0]?.message ?? NEEDED);
    return [{ template, title, version, text_hash, typed_name }];
  });
}

/** As many as are asked for, each with another mailbox, and none with the applicant's. */
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
    const mailbox = referee && mailboxOf(referee.email);
    if (mailbox && mailbox === (applicant && mailboxOf(applicant)))
      wrong['email'] = ['Nobody writes a letter about themselves.'];
    else if (mailbox && seen.has(mailbox)) wrong['email'] = ['Is named above already.'];
    for (const [name, texts] of Object.entries(wrong)) errors[`referees.${n}.${name}`] = texts;
    if (!referee || !mailbox) return [];
    seen.add(mailbox);
    return [referee];
  });
}
