import { z } from 'zod';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { expectedVersion, MAX_CENTS, moment, version } from '../fields.js';

const amount = z.int().min(1).max(MAX_CENTS).meta({ example: 12_500 });
const status = z.enum(MEMBERSHIP_STATUSES).meta({ description: 'The member status that owes this.' });

export const DuesRateJson = z
  .object({
    id: z.uuid(),
    term: z.uuid(),
    term_name: z.string(),
    status,
    amount_cents: amount,
    version,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'DuesRate' });

export const DuesRateCreate = z
  .strictObject({ term: z.uuid(), status, amount_cents: amount })
  .meta({ id: 'DuesRateCreate' });
export const DuesRatePatch = z
  .strictObject({ amount_cents: amount.optional(), version: expectedVersion })
  .meta({ id: 'DuesRatePatch', description: 'Invoices that were issued keep their amounts.' });

export const DuesRateFilters = z.object({
  ...pageQuery,
  term: z.uuid().optional(),
  status: status.optional(),
  ordering: ordering({ created_at: 'r.created_at', amount_cents: 'r.amount_cents', term: 't.starts_on' }, '-term'),
});
