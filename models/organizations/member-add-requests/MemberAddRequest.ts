import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, day, link, name, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { email } from '../../fields.js';
import { graduationColumns } from '../graduation.js';
import { firstTierColumns, MAX_NOTES_LENGTH, requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';
import { MEMBERSHIP_ROLES } from '../vocabulary.js';

/** An officer's request for a new member. The region decides first, the organization last (spec: MemberAddRequest). */
export class MemberAddRequest extends defineModel({
  table: 'member_add_requests',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    email: column(DataTypes.TEXT, email, z.string())
      .nullable()
      .meta({ description: 'Null once its person is erased.' }),
    first_name: name(100),
    last_name: name(100),
    role: oneOf(MEMBERSHIP_ROLES).default('member'),
    joined_date: day().nullable(),
    ...graduationColumns,
    pledge_class: name(100).nullable(),
    crossing_semester: text(50).nullable(),
    justification: text(MAX_NOTES_LENGTH),
    ...requestColumns(['pending_regional', 'pending_organization']),
    ...firstTierColumns,
    membership_id: link()
      .as('membership')
      .nullable()
      .serverSet()
      .meta({ description: 'The membership that the approval created.' }),
    ...stamps,
  },
  constraints: {
    member_add_requests_open: requestErrors.request_open,
    member_add_requests_own: requestErrors.own_request,
    member_add_requests_season_requires_year: () =>
      invalid('graduation_season', 'A season requires a graduation year.'),
  },
}) {}
