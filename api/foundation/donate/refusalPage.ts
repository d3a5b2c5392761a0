import { type FieldErrors, Refusal } from '../../../models/errors.js';
import type { Answer, RequestFacts } from '../../http/routes.js';
import { readPublicCampaign } from '../public/giving.js';
import { CampaignParams } from '../public/schema.js';
import { readTypedGift, requireGift, withNewKey } from './form.js';
import { campaignPage, refusedPage, reviewPage, unknownCampaignPage } from './pages.js';

/** Statuses of refusals after which the donor can correct the form or send it again. */
const REPEATABLE = new Set([400, 409, 422, 429, 503]);

/**
 * Codes of refusals after which the form gets a new idempotency key. With the old key, the donor would reach the same
 * refused or ended gift again.
 */
const END_THE_KEY = new Set(['idempotency_mismatch', 'payment_page_refused', 'conflict']);

const MESSAGES: Record<string, string> = {
  validation_error: 'Some fields need your attention.',
  idempotency_mismatch: 'This form was sent before, with other details. If you pay now, you make another gift.',
  fee_cover_mismatch: 'The fee has changed. Check the amount, and pay again.',
  fee_pass_through_off: 'Donors can no longer cover the fee. Check the amount, and pay again.',
};

/** Renders the page for a refusal. If the donor can send the form again, the page shows it as it was sent. */
export async function giftRefusalPage(refusal: Refusal, request: RequestFacts): Promise<Answer<void>> {
  const { raw } = request;
  const params = CampaignParams.safeParse(raw.params);
  if (refusal.status === 404 || !params.success) return unknownCampaignPage();
  const message = MESSAGES[refusal.code] ?? refusal.message;
  if (raw.method === 'POST' && REPEATABLE.has(refusal.status)) {
    const { foundation_id: foundationId, slug } = params.data;
    const page = await formAgain(refusal, message, request, { foundationId, slug }).catch(() => null);
    if (page) return page;
  }
  return refusedPage(message, raw.path);
}

/**
 * Shows the step (form or review) that was refused, filled in as it was sent.
 * @throws Refusal if the form or its campaign cannot be read
 */
async function formAgain(
  refusal: Refusal,
  message: string,
  request: RequestFacts,
  address: Parameters<typeof readPublicCampaign>[0],
): Promise<Answer<void>> {
  const sent = readTypedGift(request);
  const form = END_THE_KEY.has(refusal.code) ? withNewKey(sent) : sent;
  const campaign = await readPublicCampaign(address);
  if (form.pay === '' || refusal.code === 'validation_error')
    return campaignPage(campaign, form, { message, fields: formErrors(refusal.errors) });
  return reviewPage(campaign, form, requireGift(form, campaign).amount_cents, message);
}

/** A gift has several amount fields, but the form has only one. So errors about any amount are shown at that field. */
const formErrors = (errors: FieldErrors = {}): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => [/amount/.test(name) ? 'other_amount' : name, messages]),
  );
