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

const RECEIPT_KINDS = ['gift', 'annual'] as const;
const RECEIPT_STATUSES = ['valid', 'superseded', 'void'] as const;
const RECEIPT_MAIL_STATUSES = ['waiting', 'mailed', 'undeliverable', 'replaced', 'cancelled', 'not_requested'] as const;
export type ReceiptMailStatus = (typeof RECEIPT_MAIL_STATUSES)[number];

/** The facts that every receipt prints. */
const printedFacts = {
  legal_name: z.string(),
  ein: z.string(),
  mailing_address: z.string(),
  donor_name: z.string(),
  /** Day on which this receipt was issued, in the foundation's time zone. */
  issued_on: z.iso.date(),
  intro: z.string().nullable(),
  thanks: z.string().nullable(),
  /** Number of the receipt that this one replaces. */
  replaces_number: z.string().nullable(),
};

/** The facts that a receipt prints of a gift. */
const printedGift = {
  /** Title of the campaign; null for a gift to a fund. */
  campaign: z.string().nullable(),
  /** Name of the fund, if the gift was for no campaign. */
  fund: z.string().nullable(),
  method: z.enum(DONATION_METHODS),
  /** Day of the charge in the foundation's time zone, or the day on which an offline gift was received. */
  given_on: z.iso.date(),
  /** The charged amount, followed by the part that was returned before this receipt was issued. */
  charged_cents: z.int(),
  returned_cents: z.int(),
  goods: z.strictObject({ description: z.string(), value_cents: z.int() }).nullable(),
};

/** Everything that the receipt of a gift prints, as it was when the receipt was issued. */
export const printedReceipt = z.strictObject({ ...printedFacts, ...printedGift });
export type PrintedReceipt = z.output<typeof printedReceipt>;

/** Everything that an annual receipt prints. The ids of the gifts are not printed; corrections compare them. */
export const printedAnnualReceipt = z.strictObject({
  ...printedFacts,
  tax_year: z.int(),
  gifts: z.array(z.strictObject({ donation: z.uuid(), ...printedGift })).min(1),
});
export type PrintedAnnualReceipt = z.output<typeof printedAnnualReceipt>;

/**
 * A receipt of one gift, or an annual receipt of all gifts of a donor in a tax year. It never changes; a correction voids
 * it or issues another one in its place.
 */
export class TaxReceipt extends defineModel({
  table: 'tax_receipts',
  columns: {
    ...tenantKeys,
    donor_id: link().as('donor'),
    kind: oneOf(RECEIPT_KINDS).serverSet().meta({
      description: '`gift`: the receipt of one gift. `annual`: one receipt for all gifts of a donor in a tax year.',
    }),
    donation_id: link().as('donation').nullable().meta({ description: 'Null for an annual receipt.' }),
    annual_run_id: link()
      .as('annual_run')
      .nullable()
      .meta({ description: 'The run that issued this annual receipt; null for a correction.' }),
    tax_year: column(DataTypes.INTEGER, z.int()),
    sequence: column(DataTypes.INTEGER, z.int()).hidden(),
    number: text(20).serverSet(),
    amount_cents: cents(1),
    currency: column(DataTypes.TEXT, z.string()),
    status: oneOf(RECEIPT_STATUSES).default('valid').serverSet(),
    replaces: link().nullable(),
    code: column(DataTypes.TEXT, z.string()).hidden(),
    printed: json(z.union([printedReceipt, printedAnnualReceipt])).hidden(),
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
