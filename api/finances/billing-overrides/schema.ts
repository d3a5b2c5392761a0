import { z } from 'zod';
import { BILLING_MODES } from '../../../models/finances/settings/duesSettings.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { day, expectedVersion, moment, version } from '../fields.js';

const billingMode = z.enum(BILLING_MODES);

export const BillingOverrideJson = z
  .object({
    id: z.uuid(),
    chapter: z.uuid(),
    chapter_name: z.string(),
    effective_term: z.uuid().meta({ description: 'Holds from this term on, until a later override.' }),
    effective_term_name: z.string(),
    effective_from: day.meta({ description: "The term's first day." }),
    billing_mode: billingMode,
    version,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'ChapterBillingOverride' });

export const BillingOverrideCreate = z
  .strictObject({ chapter: z.uuid(), effective_term: z.uuid(), billing_mode: billingMode })
  .meta({ id: 'ChapterBillingOverrideCreate' });

export const BillingOverridePatch = z
  .strictObject({ effective_term: z.uuid().optional(), billing_mode: billingMode.optional(), version: expectedVersion })
  .meta({ id: 'ChapterBillingOverridePatch' });

export const BillingOverrideFilters = z.object({
  ...pageQuery,
  chapter: z.uuid().optional(),
  ordering: ordering(
    { effective_from: 't.starts_on', chapter_name: 'c.name', created_at: 'o.created_at' },
    '-effective_from',
  ),
});
