import { z } from 'zod';
import { DONATION_STATUSES } from '../../../models/foundation/donations/Donation.js';
import { RECEIPT_STATES } from '../../../models/foundation/donations/readGift.js';
import { RECURRING_INTERVALS } from '../../../models/foundation/pledges/vocabulary.js';
import { PROVIDERS } from '../../../models/finances/payment-processors/vocabulary.js';
import { cents, email, idempotencyKey, moment, name, recordId, text } from '../../../models/fields.js';

/** The form of a slug is not checked: a malformed slug is answered like one that no campaign has. */
const slug = z.string().max(80);

export const CampaignParams = z.object({ foundation_id: recordId, slug });
export const InternalCampaignParams = z.object({ slug });
export const GiftParams = z.object({ id: recordId });

export const PublicCampaignJson = z
  .object({
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable().meta({ description: 'Sanitized HTML.' }),
    foundation_name: z.string(),
    goal_cents: cents.nullable(),
    raised_cents: cents,
    starts_on: z.iso.date().nullable(),
    ends_on: z.iso.date().nullable(),
    goods_description: z.string().nullable().meta({ description: 'What a donor receives in return.' }),
    goods_value_cents: cents.nullable(),
    hero_image_url: z
      .url()
      .nullable()
      .meta({ description: 'Address of the picture: a JPEG of at most 1600 pixels a side.' }),
    currency: z.string(),
    suggested_amounts: z.array(cents),
    min_amount_cents: cents,
    max_amount_cents: cents,
    payment_provider: z.enum(PROVIDERS).nullable(),
    publishable_key: z.string().nullable(),
    fee_rate: z.string().meta({ description: 'A decimal.', example: '0.029' }),
    fee_fixed_cents: cents,
    fee_pass_through: z.boolean().meta({ description: 'Donors may cover the fee.' }),
    accepts_donations: z.boolean(),
    accepts_recurring: z.boolean().meta({ description: 'Donors may give again every interval.' }),
  })
  .meta({ id: 'PublicCampaign' });

export const CampaignDonorJson = z
  .object({ name: z.string().meta({ example: 'Ada L.' }) })
  .meta({ id: 'CampaignDonor', description: 'First name and initial, or Anonymous.' });

/** The amount of a gift, from a client. The foundation's own limit is lower than the largest amount here. */
export const giftAmount = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const GiftBody = z
  .strictObject({
    amount_cents: giftAmount.meta({ description: 'Exactly this amount is charged.', example: 5000 }),
    is_recurring: z
      .boolean()
      .default(false)
      .meta({ description: 'The gift starts a pledge: the card is kept, and charged again every interval.' }),
    recurring_interval: z.enum(RECURRING_INTERVALS).nullable().optional(),
    email,
    first_name: name(100).meta({ example: 'Ada' }),
    last_name: name(100).meta({ example: 'Lovelace' }),
    phone: text(50).nullable().optional(),
    address: text(500).nullable().optional(),
    is_anonymous: z.boolean().optional().meta({
      description:
        'The campaign does not show your name. Absent: what the donor has chosen for all gifts, or else false.',
    }),
    covers_fees: z.boolean().default(false),
    base_amount_cents: giftAmount
      .nullable()
      .optional()
      .meta({ description: 'For covers_fees: the amount that remains after the fee.' }),
    idempotency_key: idempotencyKey
      .nullable()
      .optional()
      .meta({ description: 'A repeated request with the same key and body gets the same gift.' }),
  })
  .superRefine((gift, context) => {
    const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (gift.is_recurring && !gift.recurring_interval) fault('recurring_interval', 'Choose how often you give.');
    if (!gift.is_recurring && gift.recurring_interval) fault('recurring_interval', 'Only for recurring gifts.');
    if (gift.covers_fees && !gift.base_amount_cents) fault('base_amount_cents', 'Required for covers_fees.');
    if (!gift.covers_fees && gift.base_amount_cents) fault('base_amount_cents', 'Only with covers_fees.');
  })
  .meta({
    id: 'Gift',
    example: {
      amount_cents: 5000,
      is_recurring: false,
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Lovelace',
      is_anonymous: false,
      covers_fees: false,
      idempotency_key: '5b1f9a7e-gift',
    },
  });
export type GiftInput = z.output<typeof GiftBody>;

export const GivenGiftJson = z
  .object({
    donation_id: z.uuid(),
    status: z.enum(DONATION_STATUSES),
    amount_cents: cents,
    fee_cents: cents,
    net_cents: cents,
    checkout_url: z
      .url()
      .nullable()
      .meta({ description: 'The page of the provider on which the donor pays; null once it is over.' }),
    expires_at: moment.nullable(),
  })
  .meta({ id: 'GivenGift' });

export const PublicGiftJson = z
  .object({
    id: z.uuid(),
    status: z.enum(DONATION_STATUSES),
    under_review: z.boolean().meta({ description: 'Another amount was captured; the foundation decides about it.' }),
    amount_cents: cents,
    refunded_cents: cents,
    currency: z.string(),
    campaign: z.object({ slug: z.string(), title: z.string() }),
    receipt: z.object({ status: z.enum(RECEIPT_STATES), number: z.string().nullable() }),
  })
  .meta({ id: 'PublicGift', description: 'A gift without its donor.' });
