import { z } from 'zod';
import { ACCOUNT_KINDS } from '../../../models/finances/ledger/entries.js';
import { day, moment } from '../../../models/fields.js';
import { ordering, pageOf, pageQuery } from '../../http/pagination.js';
import { hiddenCents } from '../fields.js';

export const ChapterLedgerFilters = z.object({
  ...pageQuery,
  term: z.uuid().optional().meta({ description: 'What is about invoices of this term.' }),
  from: day.optional().meta({ description: "The first day, by the organization's clock." }),
  to: day.optional().meta({ description: 'The last day, which counts.' }),
  ordering: ordering({ occurred_at: 't.position' }, '-occurred_at'),
});

const ChapterLedgerEntryJson = z
  .object({
    kind: z.enum(ACCOUNT_KINDS).meta({
      description:
        'adjustment: what was taken off, or put on again; remittance: paid what members owe, and changes nothing here.',
    }),
    id: z.uuid(),
    invoice: z.uuid().nullable(),
    description: z.string(),
    amount_cents: hiddenCents.meta({ description: 'How much it is about.' }),
    effect_cents: hiddenCents.meta({ description: 'What it did to the debt: above zero is more to pay.' }),
    credit_cents: hiddenCents.meta({ description: "What it did to the chapter's credit." }),
    running_balance_cents: hiddenCents.meta({
      description: 'What was due after it, on every page and in either order.',
    }),
    occurred_at: moment,
    explain: z.string().nullable().meta({ description: 'The address that explains the invoice.' }),
  })
  .meta({ id: 'ChapterLedgerEntry' });

export const ChapterLedgerJson = z
  .object({
    chapter: z.uuid(),
    chapter_name: z.string(),
    currency: z.string(),
    opening_balance_cents: hiddenCents.meta({ description: 'What was due when the first day began.' }),
    closing_balance_cents: hiddenCents.meta({ description: 'What was due when the last day ended, or is due now.' }),
    ...pageOf(ChapterLedgerEntryJson).shape,
  })
  .meta({ id: 'ChapterLedger' });
