import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, name, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { birthday } from '../../fields.js';

/** A person's profile in an organization; one per person, however many memberships they have (spec: member profile). */
export class MemberProfile extends defineModel({
  table: 'member_profiles',
  subject: 'member_profile',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').serverSet(),
    preferred_name: name(100).nullable(),
    date_of_birth: column(DataTypes.DATEONLY, birthday, z.iso.date()).nullable().meta({ example: '2005-04-12' }),
    permanent_address_line1: text(255).nullable(),
    permanent_address_line2: text(255).nullable(),
    city: text(100).nullable(),
    state: text(50).nullable(),
    postal_code: text(20).nullable(),
    country: text(100).nullable(),
    ...stamps,
  },
}) {}
