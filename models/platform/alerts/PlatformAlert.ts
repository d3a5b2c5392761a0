import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, oneOf, platformKey, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { RIGHT_LOST_DESCRIPTION, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { idempotencyKey, line } from '../../fields.js';

export const ALERT_AUDIENCES = ['admins', 'everyone'] as const;

/** An announcement of the platform's operators to the organizations. */
export class PlatformAlert extends defineModel({
  table: 'platform_alerts',
  columns: {
    ...platformKey,
    title: column(DataTypes.TEXT, line(200), z.string()),
    body: text(500),
    audience: oneOf(ALERT_AUDIENCES),
    idempotency_key: column(DataTypes.TEXT, idempotencyKey).nullable().hidden().meta({
      description:
        'Idempotency key: a repeated request with the same key and the same text returns the existing alert and notifies no one.',
    }),
    created_by: link().nullable().serverSet(),
    reached_organization_id: link().nullable().serverSet().hidden(),
    status: oneOf(['running', 'done', 'cancelled', STOPPED_RIGHT_LOST])
      .default('running')
      .serverSet()
      .meta({ description: RIGHT_LOST_DESCRIPTION }),
    closed_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
