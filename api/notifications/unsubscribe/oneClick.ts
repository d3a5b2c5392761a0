/** What one POST of a mail program says (RFC 8058, 3.2): programs should send a multipart form, and may send an encoded one. */
import { invalid, refuse } from '../../../models/errors.js';
import { readForm } from '../../identity/sso/saml/form.js';
import type { RequestFacts } from '../../http/routes.js';

export const ONE_CLICK = { field: 'List-Unsubscribe', value: 'One-Click' } as const;

/** A form has one field. */
const LARGEST_FORM_BYTES = 1_000;

/** @throws Refusal validation_error for a form that says anything else; 413, 415 */
export async function requireOneClick(request: RequestFacts): Promise<void> {
  const said = request.raw.is('multipart/form-data') ? await partsOf(request) : encodedIn(request);
  if (said !== ONE_CLICK.value) throw invalid(ONE_CLICK.field, `Must be ${ONE_CLICK.value}.`);
}

const encodedIn = (request: RequestFacts) => readForm(request, LARGEST_FORM_BYTES).get(ONE_CLICK.field);

/** @returns undefined where the form is none, or does not have the field once */
async function partsOf({ raw }: RequestFacts) {
  const bytes: unknown = raw.body;
  if (!Buffer.isBuffer(bytes)) return undefined;
  if (bytes.length > LARGEST_FORM_BYTES) throw refuse.body_too_large();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': raw.get('Content-Type') ?? '' } })
    .formData()
    .catch(() => null);
  const [value, ...more] = form?.getAll(ONE_CLICK.field) ?? [];
  return more.length === 0 ? value : undefined;
}
