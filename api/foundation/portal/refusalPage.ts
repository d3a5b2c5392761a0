import type { Refusal } from '../../../models/errors.js';
import type { Answer, RequestFacts } from '../../http/routes.js';
import { LinkForm, readDetails, readFields } from './form.js';
import { homePath, refusedPage, signInPage, unknownPage } from './pages.js';
import { FoundationParams } from './schema.js';
import { ownHomePage } from './sections.js';
import { asDonor, inPortal } from './session.js';

/** Statuses of refusals after which the donor needs a new link. */
const NEEDS_LINK = new Set(['not_authenticated', 'donor_link_invalid']);

/** Statuses of refusals after which the donor can correct a form or send it again. */
const REPEATABLE = new Set([400, 409, 429, 503]);

/** Renders the page for a refusal. If the donor can send the form again, the page shows it as it was sent. */
export async function portalRefusalPage(refusal: Refusal, request: RequestFacts): Promise<Answer<void>> {
  const { raw } = request;
  const params = FoundationParams.safeParse({ foundation_id: raw.params['foundation_id'] });
  if (refusal.status === 404 || !params.success) return unknownPage();
  const foundationId = params.data.foundation_id;
  const page = await formAgain(refusal, request, foundationId).catch(() => null);
  return page ?? refusedPage(messageOf(refusal), homePath(foundationId));
}

/** Names of form fields that their page does not show again. */
const FIELD_NAMES: Record<string, string> = { resume_on: 'Pause until', amount: 'Amount' };

const messageOf = ({ message, errors = {} }: Refusal): string =>
  Object.entries(errors)
    .map(([field, faults]) => `${FIELD_NAMES[field] ?? field}: ${faults.join(' ')}`)
    .join(' ') || message;

/** Returns the page with the form that the donor needs next; null if there is none. @throws Refusal */
async function formAgain(refusal: Refusal, request: RequestFacts, foundationId: string): Promise<Answer<void> | null> {
  const isSent = (action: string) =>
    request.raw.method === 'POST' && request.raw.path.replace(/\/$/, '').endsWith(action);
  const message = refusal.code === 'validation_error' ? 'Some fields need your attention.' : refusal.message;
  const problem = { message, ...(refusal.errors && { fields: refusal.errors }) };
  const askAgain = (email: string) =>
    inPortal(request, foundationId, async ({ foundation }) => signInPage(foundation, email, problem));
  if (NEEDS_LINK.has(refusal.code)) return askAgain('');
  if (!REPEATABLE.has(refusal.status)) return null;
  if (isSent('/links')) return askAgain(readFields<'email'>(request, LinkForm).email);
  if (!isSent('/details')) return null;
  const typed = readDetails(request);
  return asDonor(request, foundationId, { readOnly: true }, (portal) => ownHomePage(portal, { typed, problem }));
}
