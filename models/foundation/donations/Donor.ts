import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
  integer,
  link,
  moment,
  name,
  tenantKeys,
  text,
  times,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';
import { email } from '../../fields.js';

/** A person who gives: one row per e-mail address and foundation. */
export class Donor extends defineModel({
  table: 'donors',
  subject: 'donor',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    email: column(DataTypes.TEXT, email, z.string())
      .nullable()
      .unlogged()
      .meta({ description: 'Null after the donor was erased.' }),
    first_name: name(100).unlogged(),
    last_name: name(100).unlogged(),
    phone: text(50).nullable().unlogged(),
    address: text(500).nullable().unlogged(),
    user_id: link().as('user').nullable().serverSet(),
    is_anonymous: yesOrNo().default(false).serverSet().meta({
      description: 'The donor prefers that their gifts are anonymous. A gift that says so itself decides for itself.',
    }),
    total_cents: cents(0).default(0).serverSet().meta({ description: 'The sum of their gifts, less what went back.' }),
    gift_count: integer(0, 2_147_483_647).default(0).serverSet().meta({ description: 'Number of completed gifts.' }),
    name_corrected_at: moment().nullable().hidden(),
    erased_at: moment().nullable(),
    ...times,
  },
  constraints: { donors_email_unique: duplicateValue('email', 'Another donor has this e-mail address.') },
}) {}
