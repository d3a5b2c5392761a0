import { z } from 'zod';
import { ACCOUNT_KINDS } from '../../../models/finances/ledger/entries.js';
import { day, moment } from '../../../models/fields.js';
import { ordering, pageOf, pageQuery } from '../../http/pagination.js';
import { hiddenCents } from '../fields.js';

export const ChapterLedgerFilters = z.object({
  ...pageQuery,
  term: z.uuid().optional().meta({ description: 'Entries about invoices of this term.' }),
  from: day.optional().meta({ description: "The first day, in the organization's time zone." }),
  to: day.optional().meta({ description: 'The last day, inclusive.' }),
  ordering: ordering({ occurred_at: 't.position' }, '-occurred_at'),
});

const ChapterLedgerEntryJson = z
  .object({
    kind: z.enum(ACCOUNT_KINDS).meta({
      description:
        'adjustment: an amount that was taken off or added again; remittance: pays invoices of members, without effect on this balance.',
    }),
    id: z.uuid(),
    invoice: z.uuid().nullable(),
    description: z.string(),
    amount_cents: hiddenCents.meta({ description: 'The amount of the entry.' }),
    effect_cents: hiddenCents.meta({ description: 'Effect on the debt; positive means more to pay.' }),
    credit_cents: hiddenCents.meta({ description: "Effect on the chapter's credit." }),
    running_balance_cents: hiddenCents.meta({
      description: 'Balance due after the entry, independent of page and order.',
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
    opening_balance_cents: hiddenCents.meta({ description: 'Balance due at the start of the first day.' }),
    closing_balance_cents: hiddenCents.meta({ description: 'Balance due at the end of the last day, or now.' }),
    ...pageOf(ChapterLedgerEntryJson).shape,
  })
  .meta({ id: 'ChapterLedger' });
