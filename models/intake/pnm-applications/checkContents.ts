import { z } from 'zod';
import { createBody } from '../../database/model/schemas.js';
import { type FieldErrors, refuse } from '../../errors.js';
import { email, emailAddress, isVisible, name, recordId } from '../../fields.js';
import { validationMessage } from '../../validationMessages.js';
import type { ShownConfig } from '../pnm-config/config.js';
import { STANDARD_FIELDS, type StandardField } from '../pnm-config/vocabulary.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { mailboxOf } from '../reference-letters/mailbox.js';
import { type Referee, RefereeFields } from '../reference-letters/requestLetter.js';
import { checkAnswers, NEEDED } from './checkAnswers.js';
import type { Contents, SubmittedContents } from './contents.js';
import type { RequestedConsent } from './publicForm.js';

const Person = z.object({ email, first_name: name(100), last_name: name(100), chapter: recordId });
const TypedName = name(200);
const Standard = z
  .object(createBody(PnmProfile).shape)
  .pick(Object.fromEntries(STANDARD_FIELDS.map((name) => [name, true])) as Record<StandardField, true>);

export interface CheckedApplication {
  email: string;
  chapter: string;
  sent: SubmittedContents;
}

/**
 * Returns the standard fields that the form requires. If the form has a minimum grade point average, `gpa` is one of
 * them.
 */
export const requiredFields = ({ required_fields, minimum_gpa }: ShownConfig): StandardField[] => [
  ...new Set([...required_fields, ...(minimum_gpa === null ? [] : (['gpa'] as const))]),
];

/**
 * Checks what the applicant typed against the form. Reports all problems at once, by field and question.
 * @throws Refusal validation_error; gpa_below_minimum if the only problem is a grade average below the form's minimum,
 * and the form refuses such applications
 */
export function checkContents(
  form: { config: ShownConfig; consents: readonly RequestedConsent[] },
  { answers = {}, consents = [], referees = [], ...typed }: Contents,
): CheckedApplication {
  const errors: FieldErrors = {};
  const { config } = form;
  const filledFields = withoutBlanks(typed);
  const person = parseFields(Person, pick(filledFields, Object.keys(Person.shape)), errors);
  const standard = parseFields(Standard, pick(filledFields, STANDARD_FIELDS), errors);
  for (const name of requiredFields(config)) if (filledFields[name] === undefined) errors[name] ??= [NEEDED];
  const gpa = typeof filledFields['gpa'] === 'number' ? filledFields['gpa'] : null;
  if (gpa !== null && gpa > config.gpa_scale) errors['gpa'] ??= [`Must be from 0 to ${config.gpa_scale}.`];
  const checked = {
    fields: (standard ?? {}) as SubmittedContents['fields'],
    answers: checkAnswers(config.questions, answers, errors),
    consents: checkConsents(form.consents, consents, errors),
    referees: checkReferees(
      config.reference_letters,
      referees,
      emailAddress.safeParse(filledFields['email']).data,
      errors,
    ),
  };
  if (person === null || Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
  const belowMinimumGpa = gpa !== null && config.minimum_gpa !== null && gpa < config.minimum_gpa;
  if (belowMinimumGpa && config.gpa_gate === 'refuse') {
    const detail = `The minimum is ${config.minimum_gpa} of ${config.gpa_scale}.`;
    throw intakeErrors.gpa_below_minimum(detail, { gpa: [detail] });
  }
  const { email: address, chapter, ...names } = person;
  return { email: address, chapter, sent: { person: names, belowMinimumGpa, ...checked } };
}

/** Leaves out empty fields. A text without visible characters counts as empty. */
const withoutBlanks = (typed: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value != null && !(typeof value === 'string' && !isVisible(value))),
  );

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

function parseFields<S extends z.ZodType>(schema: S, value: unknown, errors: FieldErrors): z.output<S> | null {
  const { data, error } = schema.safeParse(value, { error: validationMessage });
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= [message];
  return data ?? null;
}

function checkConsents(
  requested: readonly RequestedConsent[],
  consents: Contents['consents'] & object,
  errors: FieldErrors,
) {
  const byTemplate = new Map(consents.map((one) => [one.template.toLowerCase(), one]));
  return requested.flatMap(({ template, title, method, version, text_hash }): SubmittedContents['consents'] => {
    const fail = (message: string) => {
      errors[`consents.${template}`] = [message];
      return [];
    };
    const one = byTemplate.get(template);
    if (!one) return fail(NEEDED);
    if (one.version !== version || one.text_hash !== text_hash) return fail('The text has changed. Read it again.');
    if (method !== 'typed_name') return [{ template, title, version, text_hash, typed_name: null }];
    if (!isVisible(one.typed_name ?? '')) return fail('Type your name.');
    const { data: typed_name, error } = TypedName.safeParse(one.typed_name, { error: validationMessage });
    if (error) return fail(error.issues[0]?.message ?? NEEDED);
    return [{ template, title, version, text_hash, typed_name }];
  });
}

/**
 * Checks the referees whom the applicant names: their number must match the form, and each needs a mailbox of their
 * own, different from the applicant's.
 */
function checkReferees(
  count: number,
  referees: Contents['referees'] & object,
  applicant: string | undefined,
  errors: FieldErrors,
): Referee[] {
  const seen = new Set<string>();
  return Array.from({ length: count }, (_, n) => withoutBlanks(referees[n] ?? {})).flatMap((typed, n) => {
    const problems: FieldErrors = {};
    const referee = parseFields(RefereeFields, typed, problems);
    const mailbox = referee && mailboxOf(referee.email);
    if (mailbox && mailbox === (applicant && mailboxOf(applicant)))
      problems['email'] = ['You cannot be your own referee.'];
    else if (mailbox && seen.has(mailbox)) problems['email'] = ['This person is already named above.'];
    for (const [name, texts] of Object.entries(problems)) errors[`referees.${n}.${name}`] = texts;
    if (!referee || !mailbox) return [];
    seen.add(mailbox);
    return [referee];
  });
}
