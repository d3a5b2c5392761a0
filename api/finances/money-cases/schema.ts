import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { cents, recordId, text } from '../../../models/fields.js';
import { CASE_DECISIONS, CASE_KINDS, CASE_STATUSES, MoneyCase } from '../../../models/finances/cases/MoneyCase.js';
import { MAX_ALLOCATIONS } from '../../../models/finances/remittances/createRemittance.js';
import { ordering, pageQuery } from '../../http/pagination.js';

export const MoneyCaseJson = rowJson(MoneyCase);

export const MoneyCaseAllocationJson = z.object({
  invoice: z.uuid(),
  description: z.string(),
  payer_name: z.string(),
  amount_cents: cents,
  refunded_cents: cents,
  left_cents: cents.meta({ description: 'Maximum part of the case that can be allocated to this invoice.' }),
});

export const MoneyCaseDetailJson = MoneyCaseJson.extend({
  shares: z.array(MoneyCaseAllocationJson).meta({ description: 'Invoices that the charge paid.' }),
}).meta({ id: 'MoneyCaseDetail' });

export const MoneyCaseFilters = z.object({
  ...pageQuery,
  status: z.enum(CASE_STATUSES).optional(),
  kind: z.enum(CASE_KINDS).optional(),
  ordering: ordering({ created_at: 'money_cases.id' }, '-created_at'),
});

export const MoneyCaseResolution = z
  .strictObject({
    resolution: z.enum(CASE_DECISIONS),
    allocations: z
      .array(z.strictObject({ invoice: recordId, amount_cents: z.int().positive().max(99_999_999) }))
      .min(1, 'Name at least one invoice.')
      .max(MAX_ALLOCATIONS, `At most ${MAX_ALLOCATIONS} invoices.`)
      .optional()
      .meta({
        description: 'For `allocated`: the refunded invoices. The amounts add up to the amount of the case.',
      }),
    note: text(2000),
  })
  .superRefine(({ resolution, allocations }, context) => {
    if ((resolution === 'allocated') === (allocations !== undefined)) return;
    const message = allocations ? 'Only allowed with `allocated`.' : 'Name at least one invoice.';
    context.addIssue({ code: 'custom', path: ['allocations'], message });
  })
  .meta({ id: 'MoneyCaseResolution' });
