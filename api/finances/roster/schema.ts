import { z } from 'zod';
import { BUCKETS } from '../../../models/finances/roster/listCollectionRoster.js';
import { ROSTER_LEDGER_KINDS } from '../../../models/finances/roster/readRosterLedger.js';
import { moment, searchText } from '../../../models/fields.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { hiddenCents } from '../fields.js';

export const CollectionRosterFilters = z.object({
  ...pageQuery,
  chapter: z.uuid().optional().meta({ description: 'Required if you see several chapters.' }),
  bucket: z.enum(BUCKETS).optional(),
  search: searchText.meta({ description: 'Searches names.' }),
});

export const CollectionRosterRowJson = z
  .object({
    membership: z.uuid(),
    name: z.string(),
    status: z.enum(MEMBERSHIP_STATUSES),
    is_former: z.boolean().meta({
      description:
        'The membership in this chapter ended: its status is `inactive` (also after a transfer), `disaffiliated` or one of the alumni statuses. The row stays as long as the member owes something.',
    }),
    bucket: z.enum(BUCKETS).meta({
      description:
        'The first that applies: delinquent, an invoice is past due and not frozen, marked overdue or not; pending_request; on_plan; ' +
        'due; credit; settled, all invoices are paid; none, there is no invoice.',
    }),
    open_invoices: z.int(),
    overdue_invoices: z.int().meta({ description: 'Open invoices whose due date has passed.' }),
    oldest_due_date: z.iso.date().nullable(),
    balance_cents: hiddenCents,
    credit_cents: hiddenCents,
    plan: z.object({ next_due_date: z.iso.date().nullable(), is_late: z.boolean() }).nullable(),
    freeze_expires_at: moment.nullable(),
  })
  .meta({ id: 'CollectionRosterRow' });

export const RosterLedgerQuery = z.object(pageQuery);

const RosterLedgerEntryJson = z
  .object({
    kind: z
      .enum(ROSTER_LEDGER_KINDS)
      .meta({ description: 'Discounts are adjustments; their reasons are not included.' }),
    id: z.uuid().meta({ description: 'The invoice, adjustment, payment or credit entry.' }),
    invoice: z.uuid().nullable(),
    description: z.string(),
    amount_cents: hiddenCents.meta({ description: 'Effect on the debt; positive means more to pay.' }),
    credit_cents: hiddenCents.meta({ description: 'Effect on the credit.' }),
    occurred_at: moment,
    explain: z.string().nullable().meta({ description: 'The address that explains the invoice.' }),
  })
  .meta({ id: 'RosterLedgerEntry' });

export const RosterLedgerJson = z
  .object({
    membership: z.uuid(),
    chapter: z.uuid(),
    chapter_name: z.string(),
    currency: z.string(),
    balance_due_cents: hiddenCents,
    available_credit_cents: hiddenCents,
    shortfall_cents: hiddenCents,
    ...pageOf(RosterLedgerEntryJson).shape,
  })
  .meta({ id: 'RosterLedger' });
