import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, integer, link, moment, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { previewHash } from '../../fields.js';
import { RIGHT_LOST_DESCRIPTION } from '../../organizations/holdsRight.js';

const RUN_STATUSES = ['running', 'issued', 'cancelled', 'stopped_right_lost'] as const;
export type AnnualRunStatus = (typeof RUN_STATUSES)[number];

const MAX_INTEGER = 2_147_483_647;

/** A run that issues the annual receipts of a tax year, with its progress. */
export class AnnualReceiptRun extends defineModel({
  table: 'annual_receipt_runs',
  columns: {
    ...tenantKeys,
    tax_year: column(DataTypes.INTEGER, z.int()),
    preview_hash: column(DataTypes.TEXT, previewHash),
    status: oneOf(RUN_STATUSES).default('running').meta({ description: RIGHT_LOST_DESCRIPTION }),
    receipts_planned: integer(1, MAX_INTEGER),
    receipts_issued: integer(0, MAX_INTEGER).default(0).meta({
      description:
        'May end below the plan: money of those donors moved, or their names were corrected, after the run was confirmed. The next run issues their receipts.',
    }),
    planned_cents: cents(1),
    issued_cents: cents(0).default(0),
    started_by: link().nullable().meta({ description: 'Null for a run that the daily Schedule started.' }),
    ended_at: moment().nullable(),
    ...times,
  },
  derived: { workflow_id: derived(z.string(), `'annual-receipts/' || annual_receipt_runs.id`) },
}) {}
