import { giftAmount } from '../public/schema.js';
import { z } from 'zod';
import { config } from '../../../config.js';
import { cents, day, name } from '../../../models/fields.js';
import { DONATION_STATUSES } from '../../../models/foundation/donations/Donation.js';
import type { DonorPledge } from '../../../models/foundation/pledges/openPeriodPage.js';
import { PLEDGE_STATUSES, RECURRING_INTERVALS } from '../../../models/foundation/pledges/vocabulary.js';
import type { OwnReceipt } from '../../../models/foundation/portal/ownRecords.js';

export const OwnDonorJson = z
  .object({
    id: z.uuid(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    is_anonymous: z.boolean().meta({ description: 'Future gifts that do not say it themselves are anonymous.' }),
  })
  .meta({ id: 'OwnDonor' });

export const OwnDonorEdit = z
  .strictObject({
    first_name: name(100).optional(),
    last_name: name(100).optional(),
    is_anonymous: z.boolean().optional(),
  })
  .meta({ id: 'OwnDonorEdit' });

export const OwnGiftJson = z
  .object({
    id: z.uuid(),
    status: z.enum(DONATION_STATUSES),
    under_review: z.boolean(),
    amount_cents: cents,
    refunded_cents: cents,
    currency: z.string(),
    purpose: z.string().meta({ description: 'Title of the campaign, or name of the fund.' }),
    is_anonymous: z.boolean(),
    given_on: day.meta({ description: 'In the time zone of the foundation.' }),
  })
  .meta({ id: 'OwnGift' });

export const OwnReceiptJson = z
  .object({
    id: z.uuid(),
    number: z.string(),
    tax_year: z.int(),
    is_annual: z.boolean().meta({ description: 'It lists all gifts of the year.' }),
    amount_cents: cents,
    currency: z.string(),
    pdf_url: z.url(),
  })
  .meta({ id: 'OwnReceipt' });

export const presentOwnReceipt = (receipt: OwnReceipt) => ({
  ...receipt,
  pdf_url: `${config.backendUrl}/api/foundation/me/receipts/${receipt.id}/pdf/`,
});

export const OwnPledgeJson = z
  .object({
    id: z.uuid(),
    status: z.enum(PLEDGE_STATUSES),
    amount_cents: cents,
    currency: z.string(),
    interval: z.enum(RECURRING_INTERVALS),
    campaign: z.string().meta({ description: 'Title of the campaign.' }),
    next_due_on: day.nullable(),
    cancelled_on: day.nullable(),
    has_open_period: z
      .boolean()
      .meta({ description: 'A gift waits for a payment with another card, after a decline.' }),
  })
  .meta({ id: 'OwnPledge' });

export const OwnPledgeEdit = z.strictObject({ amount_cents: giftAmount }).meta({ id: 'OwnPledgeEdit' });

export function presentOwnPledge(row: DonorPledge) {
  const { foundation_name: _, ...pledge } = row;
  return pledge;
}

export const CancelledOwnPledgeJson = OwnPledgeJson.extend({
  charge_in_flight: z.boolean().meta({ description: 'A charge may still succeed. Its money is then returned.' }),
}).meta({ id: 'CancelledOwnPledge' });
