import { z } from 'zod';
import { day, integer, json, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { financesErrors } from '../errors.js';
import { LEDGER_CHECK_STATUSES } from './statuses.js';

const CheckedRule = z.object({
  name: z.string().meta({ description: 'The rule, as a sentence.' }),
  examined: z.int().meta({ description: 'Number of rows that the rule applies to.' }),
  violations: z
    .array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))
    .meta({ description: 'The first 20 rows that break the rule: ids, and amounts in cents.' }),
});
export type CheckedRule = z.output<typeof CheckedRule>;

/** A check of the rules of the ledger in one organization, with its result. */
export class LedgerCheck extends defineModel({
  table: 'ledger_checks',
  subject: 'ledger_check',
  columns: {
    ...tenantKeys,
    status: oneOf(LEDGER_CHECK_STATUSES).default('running').serverSet().meta({
      description:
        '`failed`: a row breaks a rule, or nothing could be examined although the organization has invoices.',
    }),
    examined: integer(0, 2_147_483_647)
      .default(0)
      .serverSet()
      .meta({ description: 'Number of rows that all rules together examined.' }),
    rules: json(z.array(CheckedRule)).default([]).serverSet().meta({ description: 'Empty until the check has ended.' }),
    requested_by: link()
      .nullable()
      .serverSet()
      .meta({ description: 'The person who started the check; null for a nightly one.' }),
    night: day()
      .nullable()
      .serverSet()
      .meta({ description: 'The date (UTC) of a nightly check; null for a check that a person started.' }),
    started_at: stamps.created_at,
    finished_at: moment().nullable(),
  },
  constraints: { ledger_checks_one_running: financesErrors.check_running },
}) {}
