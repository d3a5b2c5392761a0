/** The forms of a donor's own pages. */
import { z } from 'zod';
import { email, name } from '../../../models/fields.js';
import { readForm } from '../../http/form.js';
import type { RequestFacts } from '../../http/routes.js';
import { validate } from '../../http/validation.js';

const typed = z.string().optional();

export const LinkForm = z.object({ email: typed }).meta({ id: 'DonorLinkForm', description: 'The form of the page.' });

export const DetailsForm = z
  .object({
    first_name: typed,
    last_name: typed,
    is_anonymous: z.literal('yes').optional().meta({ description: 'Future gifts are anonymous.' }),
  })
  .meta({ id: 'DonorDetailsForm', description: 'The form of the page.' });

/** A form without fields: a button. */
export const ButtonForm = z.object({}).meta({ id: 'ButtonForm', description: 'A form without fields.' });

/** Ten times the longest valid form in percent-encoding, so that a too long text is shown again with its error. */
const MAX_FORM_BYTES = 20_000;

/** Reads the fields of a form; fields that were not sent are empty. @throws Refusal body_too_large, unsupported_media_type */
export function readFields<Name extends string>(request: RequestFacts, form: z.ZodObject): Record<Name, string> {
  const sent = readForm(request, MAX_FORM_BYTES);
  const entries = Object.keys(form.shape).map((field) => [field, sent.get(field) ?? '']);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** @throws Refusal validation_error, by field of the form */
export const requireEmail = (request: RequestFacts): string =>
  validate(z.object({ email }), readFields<'email'>(request, LinkForm)).email;

export type TypedDetails = Record<'first_name' | 'last_name' | 'is_anonymous', string>;

export const readDetails = (request: RequestFacts): TypedDetails => readFields(request, DetailsForm);

/** @throws Refusal validation_error, by field of the form */
export function requireDetails(request: RequestFacts) {
  const { is_anonymous, ...names } = readDetails(request);
  const valid = validate(z.object({ first_name: name(100), last_name: name(100) }), names);
  return { ...valid, is_anonymous: is_anonymous === 'yes' };
}
