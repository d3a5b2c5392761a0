import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';

const STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;

export const PROBLEMS = ['credentials_refused', 'bucket_taken', 'refused', 'unavailable', 'not_usable'] as const;

/** The reason why a bucket could not be provisioned. */
export interface ProvisioningFailure {
  problem: (typeof PROBLEMS)[number];
  /** The provider's own error code, or null. */
  answer: string | null;
}

/** A request to provision a bucket for an organization. */
export class StorageProvisioning extends defineModel({
  table: 'storage_provisionings',
  subject: 'storage_provisioning',
  columns: {
    ...tenantKeys,
    number: integer(1, 2_147_483_647).serverSet(),
    status: oneOf(STATUSES).default('running').serverSet(),
    problem: oneOf(PROBLEMS).nullable().serverSet().meta({ description: 'Why it failed; null if it did not.' }),
    answer: column(DataTypes.TEXT, z.string(), z.string()).nullable().serverSet().meta({
      description: "The provider's own error code.",
      example: 'AccessDenied',
    }),
    requested_by: link().nullable().serverSet(),
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
