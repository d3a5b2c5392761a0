import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';

const username = z
  .string()
  .regex(/^[a-z0-9._-]{3,30}$/, 'Must have 3 to 30 of these characters: a-z, 0-9, full stop, underscore and hyphen.')
  .meta({ example: 'ada.lovelace' });

/** The user name by which texts of an organization mention a person; one per person and organization. */
export class MemberHandle extends defineModel({
  table: 'member_handles',
  subject: 'member_handle',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').serverSet(),
    handle: column(DataTypes.TEXT, username).as('username'),
    ...stamps,
  },
  constraints: { member_handles_unique: duplicateValue('username', 'Another person has this user name.') },
}) {}
