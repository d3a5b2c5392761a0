import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { PROBLEMS, PROVIDERS, RECORD_STATUSES } from './vocabulary.js';

/** A member's account at the office suite of their organization (spec: AccountProvisioningRecord). */
export class ProvisioningRecord extends defineModel({
  table: 'account_provisioning_records',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').serverSet(),
    status: oneOf(RECORD_STATUSES).default('pending').serverSet(),
    wants: oneOf(['active', 'suspended']).default('active').serverSet().meta({
      description:
        'The status that the membership requires. If it differs from `status`, the process changes the account.',
    }),
    provider: oneOf(PROVIDERS).nullable().serverSet(),
    address: column(DataTypes.TEXT, z.string(), z.string()).nullable().serverSet().meta({
      description: 'Reserved before the provider is called; null before that and after an erasure.',
      example: 'sam.rivers@northern-star.example.org',
    }),
    address_number: integer(0, 2_147_483_647).default(0).serverSet().hidden(),
    account_id: column(DataTypes.TEXT, z.string(), z.string()).nullable().serverSet().hidden(),
    problem: oneOf(PROBLEMS).nullable().serverSet().meta({ description: 'Why the account failed or needs attention.' }),
    password_claimed_at: moment().nullable().serverSet().hidden(),
    password_given_at: moment().nullable().serverSet(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
  derived: { workflow_id: derived(z.string(), `'provision/' || account_provisioning_records.id`) },
}) {}
