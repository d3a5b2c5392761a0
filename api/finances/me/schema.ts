import { z } from 'zod';
import { LEDGER_KINDS } from '../../../models/finances/accounts/readLedger.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { cents, moment } from '../../../models/fields.js';

export const LedgerQuery = z.object({
  ...pageQuery,
  membership: z.uuid().optional().meta({ description: 'Required if you have several memberships.' }),
});

const LedgerEntryJson = z
  .object({
    kind: z.enum(LEDGER_KINDS),
    id: z
      .uuid()
      .meta({ description: 'The invoice, discount, payment, entry of a refund or dispute, plan or credit entry.' }),
    invoice: z.uuid().nullable(),
    description: z.string(),
    amount_cents: cents.meta({ description: 'Effect on the debt; positive means more to pay.' }),
    credit_cents: cents.meta({ description: 'Effect on the credit.' }),
    occurred_at: moment,
    explain: z.string().meta({ description: 'The address that explains the invoice, or the credit.' }),
  })
  .meta({ id: 'LedgerEntry' });

export const LedgerJson = z
  .object({
    membership: z.uuid(),
    chapter: z.uuid(),
    chapter_name: z.string(),
    currency: z.string(),
    balance_due_cents: cents,
    available_credit_cents: cents,
    shortfall_cents: cents.meta({
      description: 'Refunded after it had been spent; later credit covers it first.',
    }),
    ...pageOf(LedgerEntryJson).shape,
  })
  .meta({ id: 'MemberLedger' });

export const BalanceJson = z
  .object({
    currency: z.string(),
    total_balance_cents: cents.nullable().meta({
      description: 'The sum of member_balance_cents and chapter_balance_cents.',
    }),
    member_balance_cents: cents.meta({ description: "Due on the caller's own member invoices." }),
    chapter_balance_cents: cents.nullable().meta({
      description:
        'Due on the own invoices of the chapters in which the caller is an officer. Null where officers do not see amounts.',
    }),
    available_credit_cents: cents.meta({ description: "The caller's own unused credit." }),
  })
  .meta({ id: 'Balance' });
