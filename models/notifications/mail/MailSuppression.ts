import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** An address to which an organization does not send mail any more. */
export class MailSuppression extends defineModel({
  table: 'mail_suppressions',
  subject: 'mail_suppression',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link()
      .as('user')
      .nullable()
      .serverSet()
      .meta({ description: 'Null if the address belongs to a donor, who may be no user.' }),
    email: column(DataTypes.TEXT, z.string()).serverSet().meta({ example: 'sam@example.org' }),
    reason: oneOf(['unknown_address', 'hard_bounces']).serverSet().meta({
      description:
        '`unknown_address`: the mail server does not know the address. `hard_bounces`: it refused mail twice within seven days.',
    }),
    status: column(DataTypes.TEXT, z.string())
      .serverSet()
      .meta({ description: 'The last status code of the mail server (RFC 3463).', example: '5.1.1' }),
    created_at: times.created_at,
  },
}) {}
