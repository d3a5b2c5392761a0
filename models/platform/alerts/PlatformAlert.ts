import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, oneOf, platformKey, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { RIGHT_LOST_MEANS, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { idempotencyKey, line } from '../../fields.js';

export const ALERT_AUDIENCES = ['admins', 'everyone'] as const;

/** What those who run the platform tell the organizations. */
export class PlatformAlert extends defineModel({
  table: 'platform_alerts',
  columns: {
    ...platformKey,
    title: column(DataTypes.TEXT, line(200), z.string()),
    body: text(500),
    audience: oneOf(ALERT_AUDIENCES),
    idempotency_key: column(DataTypes.TEXT, idempotencyKey).nullable().hidden().meta({
      description: 'One alert, however often it is sent: the same key with the same words tells nobody anything.',
    }),
    created_by: link().nullable().kept(),
    reached_organization_id: link().nullable().kept().hidden(),
    status: oneOf(['running', 'done', 'cancelled', STOPPED_RIGHT_LOST])
      .default('running')
      .kept()
      .meta({ description: RIGHT_LOST_MEANS }),
    closed_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
