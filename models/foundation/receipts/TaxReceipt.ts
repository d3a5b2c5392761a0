import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
  integer,
  json,
  link,
  moment,
  oneOf,
  tenantKeys,
  text,
  times,
} from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { DONATION_METHODS } from '../donations/Donation.js';

const RECEIPT_STATUSES = ['valid', 'superseded', 'void'] as const;
const RECEIPT_MAIL_STATUSES = ['waiting', 'mailed', 'undeliverable', 'replaced', 'cancelled', 'not_requested'] as const;
export type ReceiptMailStatus = (typeof RECEIPT_MAIL_STATUSES)[number];

/** Everything that a receipt prints, as it was when the receipt was issued. */
export const printedReceipt = z.strictObject({
  legal_name: z.string(),
  ein: z.string(),
  mailing_address: z.string(),
  donor_name: z.string(),
  /** Title of the campaign; null for a gift to a fund. */
  campaign: z.string().nullable(),
  /** Name of the fund, if the gift was for no campaign. */
  fund: z.string().nullable(),
  method: z.enum(DONATION_METHODS),
  /** Day of the charge in the foundation's time zone, or the day on which an offline gift was received. */
  given_on: z.iso.date(),
  /** Day on which this receipt was issued, in the same time zone. */
  issued_on: z.iso.date(),
  /** The charged amount, followed by the part that was returned before this receipt was issued. */
  charged_cents: z.int(),
  returned_cents: z.int(),
  goods: z.strictObject({ description: z.string(), value_cents: z.int() }).nullable(),
  intro: z.string().nullable(),
  thanks: z.string().nullable(),
  /** Number of the receipt that this one replaces. */
  replaces_number: z.string().nullable(),
});
export type PrintedReceipt = z.output<typeof printedReceipt>;

/** A receipt of one gift. It never changes; a correction voids it or issues another one in its place. */
export class TaxReceipt extends defineModel({
  table: 'tax_receipts',
  columns: {
    ...tenantKeys,
    donor_id: link().as('donor'),
    donation_id: link().as('donation'),
    tax_year: column(DataTypes.INTEGER, z.int()),
    sequence: column(DataTypes.INTEGER, z.int()).hidden(),
    number: text(20).serverSet(),
    amount_cents: cents(1),
    currency: column(DataTypes.TEXT, z.string()),
    status: oneOf(RECEIPT_STATUSES).default('valid').serverSet(),
    replaces: link().nullable(),
    code: column(DataTypes.TEXT, z.string()).hidden(),
    printed: json(printedReceipt).hidden(),
    issued_at: moment().computed('now()'),
    ended_at: moment().nullable(),
    mail_status: oneOf(RECEIPT_MAIL_STATUSES).default('waiting').serverSet().meta({
      description:
        '`waiting`: the mail is on its way. `undeliverable`: the mail server refuses the address. `replaced`: the receipt stopped being valid before it was mailed. `cancelled`: an administrator cancelled the mail. `not_requested`: a person of the foundation recorded the gift without a mail.',
    }),
    mail_count: integer(1, 2_147_483_647).default(1).hidden(),
    mail_requested_at: moment().computed('now()').hidden(),
    mailed_at: moment().nullable(),
    ...times,
  },
}) {}
