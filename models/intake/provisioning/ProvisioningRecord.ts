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
    membership_id: link().as('membership').kept(),
    status: oneOf(RECORD_STATUSES).default('pending').kept(),
    wants: oneOf(['active', 'suspended'])
      .default('active')
      .kept()
      .meta({ description: 'What the membership asks for. Where it differs from the status, its process sees to it.' }),
    provider: oneOf(PROVIDERS).nullable().kept(),
    address: column(DataTypes.TEXT, z.string(), z.string()).nullable().kept().meta({
      description: 'Reserved before the provider is asked; null before, and of whoever is erased.',
      example: 'sam.rivers@northern-star.example.org',
    }),
    address_number: integer(0, 2_147_483_647).default(0).kept().hidden(),
    account_id: column(DataTypes.TEXT, z.string(), z.string()).nullable().kept().hidden(),
    problem: oneOf(PROBLEMS).nullable().kept().meta({ description: 'Of one that failed or needs attention.' }),
    password_claimed_at: moment().nullable().kept().hidden(),
    password_given_at: moment().nullable().kept(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
  derived: { workflow_id: derived(z.string(), `'provision/' || account_provisioning_records.id`) },
}) {}
