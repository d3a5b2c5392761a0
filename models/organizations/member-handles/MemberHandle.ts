import { DataTypes } from 'sequelize';
import { column, link, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';
import { username } from './username.js';

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
