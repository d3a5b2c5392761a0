/**
 * The body of a one-click POST of a mail program (RFC 8058, 3.2): programs should send a multipart form, and may send a
 * URL-encoded one.
 */
import { invalid, refuse } from '../../../models/errors.js';
import { readForm } from '../../http/form.js';
import type { RequestFacts } from '../../http/routes.js';

export const ONE_CLICK = { field: 'List-Unsubscribe', value: 'One-Click' } as const;

/** Maximum size of the form, which has one field. */
const MAX_FORM_BYTES = 1_000;

/**
 * Checks the form.
 * @throws Refusal validation_error for any other content; 413, 415
 */
export async function requireOneClick(request: RequestFacts): Promise<void> {
  const fieldValue = request.raw.is('multipart/form-data')
    ? await fieldOfMultipart(request)
    : fieldOfEncodedForm(request);
  if (fieldValue !== ONE_CLICK.value) throw invalid(ONE_CLICK.field, `Must be ${ONE_CLICK.value}.`);
}

const fieldOfEncodedForm = (request: RequestFacts) => readForm(request, MAX_FORM_BYTES).get(ONE_CLICK.field);

/** Returns the field; undefined if the body is not a form, or does not have the field exactly once. */
async function fieldOfMultipart({ raw }: RequestFacts) {
  const bytes: unknown = raw.body;
  if (!Buffer.isBuffer(bytes)) return undefined;
  if (bytes.length > MAX_FORM_BYTES) throw refuse.body_too_large();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': raw.get('Content-Type') ?? '' } })
    .formData()
    .catch(() => null);
  const [value, ...more] = form?.getAll(ONE_CLICK.field) ?? [];
  return more.length === 0 ? value : undefined;
}
