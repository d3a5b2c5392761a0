import { z } from 'zod';
import { json, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { MEMBERSHIP_STATUSES } from '../vocabulary.js';

/**
 * Fields of a member's record that an organization may choose for its measure of completeness. `app.counted_fields`
 * decides whether a field is filled.
 */
export const COMPLETENESS_FIELDS = [
  'preferred_name',
  'date_of_birth',
  'permanent_address',
  'phone_number',
  'verified_email',
  'joined_date',
  'graduation_year',
  'graduation_season',
  'pledge_class',
  'line_number',
  'crossing_semester',
  'crossing_date',
] as const;
export const completenessField = z.enum(COMPLETENESS_FIELDS);

const distinct = (list: readonly string[]): boolean => new Set(list).size === list.length;

const CountedField = z
  .strictObject({
    field: completenessField,
    weight: z.int().min(1).max(100).meta({ description: 'Weight relative to the other fields.' }),
    statuses: z
      .array(z.enum(MEMBERSHIP_STATUSES))
      .min(1)
      .max(MEMBERSHIP_STATUSES.length)
      .refine(distinct, 'Name each status once.')
      .meta({ description: 'Statuses of members for whom the field counts.' }),
  })
  .meta({ id: 'CompletenessField' });
export type CountedField = z.output<typeof CountedField>;

export const CountedFields = z
  .array(CountedField)
  .max(COMPLETENESS_FIELDS.length)
  .refine((list) => distinct(list.map(({ field }) => field)), 'Name each field once.')
  .meta({ example: [{ field: 'phone_number', weight: 2, statuses: ['undergrad', 'associate'] }] });

/**
 * The fields that an organization counts (spec: ProfileCompletenessConfig). The row is created with the first change.
 */
export class CompletenessConfig extends defineModel({
  table: 'completeness_configs',
  subject: 'completeness_config',
  columns: {
    id: tenantKeys.id.hidden(),
    organization_id: tenantKeys.organization_id,
    fields: json(CountedFields),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
}) {}
