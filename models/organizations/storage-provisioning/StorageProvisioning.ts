import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';

const STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;

export const PROBLEMS = ['credentials_refused', 'bucket_taken', 'refused', 'unavailable', 'not_usable'] as const;

/** Why a store was not made. */
export interface Failure {
  problem: (typeof PROBLEMS)[number];
  /** The provider's own code, or null. */
  answer: string | null;
}

/** One time that the platform was asked to make an organization a store. */
export class StorageProvisioning extends defineModel({
  table: 'storage_provisionings',
  subject: 'storage_provisioning',
  columns: {
    ...tenantKeys,
    number: integer(1, 2_147_483_647).kept(),
    status: oneOf(STATUSES).default('running').kept(),
    problem: oneOf(PROBLEMS).nullable().kept().meta({ description: 'Of one that failed.' }),
    answer: column(DataTypes.TEXT, z.string(), z.string()).nullable().kept().meta({
      description: "The provider's own code for it.",
      example: 'AccessDenied',
    }),
    requested_by: link().nullable().kept(),
    ended_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    workflow_id: derived(
      z.string(),
      `'storage-provisioning/' || storage_provisionings.organization_id || '/' || storage_provisionings.number`,
    ),
  },
}) {}
