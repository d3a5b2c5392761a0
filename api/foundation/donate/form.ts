/** The form for gifts: the fields that donors fill in, and their conversion to the body of a gift. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type FieldErrors, Refusal, refuse } from '../../../models/errors.js';
import { idempotencyKey } from '../../../models/fields.js';
import { money, parseMoney } from '../../../models/finances/money.js';
import type { PublicCampaign } from '../../../models/foundation/donations/campaignTerms.js';
import { RECURRING_INTERVALS } from '../../../models/foundation/pledges/vocabulary.js';
import { coveringAmountCents, feeCentsOf } from '../../../models/foundation/donations/fees.js';
import { readForm } from '../../http/form.js';
import type { RequestFacts } from '../../http/routes.js';
import { validate } from '../../http/validation.js';
import { GiftBody, type GiftInput } from '../public/schema.js';

/** Text fields in the order of the form. */
export const TEXT_FIELDS = {
  first_name: { label: 'First name', type: 'text', autocomplete: 'given-name', isRequired: true, hint: '' },
  last_name: { label: 'Last name', type: 'text', autocomplete: 'family-name', isRequired: true, hint: '' },
  email: {
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    isRequired: true,
    hint: 'We mail your receipt to this address.',
  },
  phone: { label: 'Telephone', type: 'tel', autocomplete: 'tel', isRequired: false, hint: '' },
  address: { label: 'Postal address', type: 'textarea', autocomplete: 'street-address', isRequired: false, hint: '' },
} as const;
type TextField = keyof typeof TEXT_FIELDS;

const typed = z.string().optional();
const checkbox = z.literal('yes').optional();

export const GiftForm = z
  .object({
    amount: typed.meta({ description: 'A suggested amount, in cents.' }),
    other_amount: typed.meta({ description: 'Another amount, as people write it; counts instead of `amount`.' }),
    recurring_interval: z
      .enum(['', ...RECURRING_INTERVALS])
      .optional()
      .meta({ description: 'How often; empty: once.' }),
    first_name: typed,
    last_name: typed,
    email: typed,
    phone: typed,
    address: typed,
    is_anonymous: checkbox,
    idempotency_key: typed,
    change: checkbox.meta({ description: 'Shows the form again.' }),
    pay: typed.meta({
      description: 'The amount to charge, in cents, as the review shows it. Without it, the answer is the review.',
    }),
  })
  .meta({ id: 'GiftForm', description: 'The form of the served page.' });

/** The form as it was sent; fields that were not sent are empty. */
export type TypedGift = Record<keyof typeof GiftForm.shape, string>;

/**
 * Ten times the longest valid form in percent-encoding. The limit is generous, so that a form with a text that is too
 * long is not refused as a whole, but shown again with the error at its field.
 */
const MAX_FORM_BYTES = 100_000;

/** @throws Refusal body_too_large, unsupported_media_type */
export function readTypedGift(request: RequestFacts): TypedGift {
  const form = readForm(request, MAX_FORM_BYTES);
  const valueOf = (name: string): string => (form.get(name) ?? '').replaceAll('\r\n', '\n');
  const gift = Object.fromEntries(Object.keys(GiftForm.shape).map((name) => [name, valueOf(name)])) as TypedGift;
  return idempotencyKey.safeParse(gift.idempotency_key).success ? gift : withNewKey(gift);
}

/** Requires that the form has no other fields than those of the page. @throws Refusal validation_error, by field */
export function requireKnownFields(request: RequestFacts): void {
  const names = [...readForm(request, MAX_FORM_BYTES).keys()];
  const unknown = names.filter((name) => !Object.hasOwn(GiftForm.shape, name));
  if (unknown.length === 0) return;
  throw refuse.validation_error(undefined, Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])));
}

/** Gives the form a new idempotency key, so that sending it creates another gift. */
export const withNewKey = (gift: TypedGift): TypedGift => ({ ...gift, idempotency_key: randomUUID() });

export const emptyGift = (): TypedGift =>
  withNewKey(Object.fromEntries(Object.keys(GiftForm.shape).map((name) => [name, ''])) as TypedGift);

/** One way to pay a gift. Amounts in cents. */
export interface Offer {
  /** Exactly this amount is charged. */
  amountCents: number;
  feeCents: number;
  netCents: number;
  coversFee: boolean;
}

/** Returns the ways to give an amount: the fee is taken from it, or the donor covers the fee if the foundation allows it. */
export function offersOf(baseCents: number, campaign: PublicCampaign): Offer[] {
  const offer = (amountCents: number): Offer => {
    const feeCents = feeCentsOf(amountCents);
    return { amountCents, feeCents, netCents: amountCents - feeCents, coversFee: amountCents !== baseCents };
  };
  const plain = offer(baseCents);
  const coveringCents = coveringAmountCents(baseCents);
  const canCover = campaign.fee_pass_through && coveringCents <= campaign.max_amount_cents;
  return canCover && coveringCents !== baseCents ? [plain, offer(coveringCents)] : [plain];
}

/** Whether the campaign accepts an amount. */
export const isAccepted = (cents: number, campaign: PublicCampaign): boolean =>
  cents >= campaign.min_amount_cents && cents <= campaign.max_amount_cents && cents > feeCentsOf(cents);

/**
 * Returns the gift that a form describes. Its amount does not include a fee that the donor covers.
 * @throws Refusal validation_error, by field of the form
 */
export function requireGift(form: TypedGift, campaign: PublicCampaign): GiftInput {
  const { cents, fault } = readAmount(form, campaign);
  const texts = Object.keys(TEXT_FIELDS).map((name) => [name, form[name as TextField].trim() || undefined]);
  const body = {
    ...Object.fromEntries(texts),
    amount_cents: cents,
    // Without the mark, the donor's own preference for all gifts decides.
    is_anonymous: form.is_anonymous === 'yes' || undefined,
    ...(form.recurring_interval !== '' && { is_recurring: true, recurring_interval: form.recurring_interval }),
    idempotency_key: form.idempotency_key,
  };
  const { errors, gift } = validateGift(body);
  const missing = Object.entries(TEXT_FIELDS)
    .filter(([name, { isRequired }]) => isRequired && form[name as TextField].trim() === '')
    .map(([name, { label }]) => [name, [`Enter your ${label.toLowerCase()}.`]]);
  const faults: FieldErrors = { ...(fault && { other_amount: [fault] }), ...errors, ...Object.fromEntries(missing) };
  if (Object.keys(faults).length > 0 || !gift) throw refuse.validation_error(undefined, faults);
  return gift;
}

function validateGift(body: object): { gift?: GiftInput; errors: FieldErrors } {
  try {
    return { gift: validate(GiftBody, body), errors: {} };
  } catch (error) {
    if (error instanceof Refusal && error.errors) return { errors: error.errors };
    throw error;
  }
}

/**
 * Reads the chosen amount. An amount that the donor typed takes precedence over a selected one. If the amount is not
 * acceptable, returns the fault, and 1 cent as an amount that the schema accepts.
 */
function readAmount(form: TypedGift, campaign: PublicCampaign): { cents: number; fault?: string } {
  const { currency, min_amount_cents, max_amount_cents } = campaign;
  const other = form.other_amount.trim();
  if (other === '' && form.amount === '') return { cents: 1, fault: 'Choose an amount, or enter another one.' };
  const cents =
    other === '' ? (/^\d{1,15}$/.test(form.amount) ? Number(form.amount) : null) : parseMoney(other, currency);
  if (cents === null) return { cents: 1, fault: 'Enter the amount in figures, for example 50.' };
  if (isAccepted(cents, campaign)) return { cents };
  const range = `from ${money(min_amount_cents, currency)} to ${money(max_amount_cents, currency)}`;
  const isInRange = cents >= min_amount_cents && cents <= max_amount_cents;
  return {
    cents: 1,
    fault: isInRange ? 'Nothing would remain of this amount after the fee.' : `Give an amount ${range}.`,
  };
}
