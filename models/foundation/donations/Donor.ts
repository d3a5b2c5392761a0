import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, integer, link, name, tenantKeys, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';
import { email } from '../../fields.js';

/** A person who gives: one row per e-mail address and foundation. */
export class Donor extends defineModel({
  table: 'donors',
  columns: {
    ...tenantKeys,
    email: column(DataTypes.TEXT, email, z.string()),
    first_name: name(100),
    last_name: name(100),
    phone: text(50).nullable(),
    address: text(500).nullable(),
    user_id: link().as('user').nullable().serverSet(),
    total_cents: cents(0).default(0).serverSet().meta({ description: 'The sum of their gifts, less what went back.' }),
    gift_count: integer(0, 2_147_483_647).default(0).serverSet().meta({ description: 'Number of completed gifts.' }),
    ...times,
  },
  constraints: { donors_email_unique: duplicateValue('email', 'Another donor has this e-mail address.') },
}) {}
