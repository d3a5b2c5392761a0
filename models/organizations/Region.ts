import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, name, stamps, tenant, tenantKeys, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid, duplicateValue } from '../errors.js';

const stateCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2,3}$/, 'Must be a state code, for example OH.');
const stateCodes = z
  .array(stateCode)
  .max(100)
  .transform((codes) => [...new Set(codes)]);

/** A region of an organization. Regional admins manage its chapters. */
export class Region extends defineModel({
  table: 'regions',
  subject: 'region',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    name: name(200),
    states: column(DataTypes.ARRAY(DataTypes.TEXT), stateCodes, z.array(z.string()))
      .default([])
      .meta({ description: 'State codes; repeated ones count once.', example: ['OH', 'MI'] }),
    is_active: yesOrNo().default(true).meta({
      description:
        'An inactive region accepts no new chapters and no new administrators. Those that it already has stay.',
    }),
    ...stamps,
  },
  constraints: {
    regions_name_unique: duplicateValue('name', 'Another region has this name.'),
    region_not_active: () => invalid('region', 'This region is not active.'),
  },
}) {}
