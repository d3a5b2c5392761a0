import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, name, stamps, tenant, tenantKeys, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid, taken } from '../errors.js';

const stateCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2,3}$/, 'Must be a state code, for example OH.');
const stateCodes = z
  .array(stateCode)
  .max(100)
  .transform((codes) => [...new Set(codes)]);

/** A part of an organization, which regional admins look after. */
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
    is_active: yesOrNo()
      .default(true)
      .meta({ description: 'One that rests is given no more chapters, nor administrators; those that it has stay.' }),
    ...stamps,
  },
  constraints: {
    regions_name_unique: taken('name', 'Another region has this name.'),
    region_not_active: () => invalid('region', 'This region is not active.'),
  },
}) {}
