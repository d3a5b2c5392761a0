import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** An address that an organization writes to no more. */
export class MailSuppression extends defineModel({
  table: 'mail_suppressions',
  subject: 'mail_suppression',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').kept(),
    email: column(DataTypes.TEXT, z.string()).kept().meta({ example: 'sam@example.org' }),
    reason: oneOf(['unknown_address', 'hard_bounces'])
      .kept()
      .meta({ description: 'The server does not know it, or refused it twice within seven days.' }),
    status: column(DataTypes.TEXT, z.string())
      .kept()
      .meta({ description: 'What the server said last (RFC 3463).', example: '5.1.1' }),
    created_at: times.created_at,
  },
}) {}
