import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, platformKey, stamps, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid } from '../errors.js';
import { timezone } from '../fields.js';

const timeOfDay = () =>
  column(DataTypes.TIME, z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time, HH:MM.'), z.string());

/**
 * The hours in which a person gets neither mail nor pushes. Each person has one row, which applies in all of their
 * organizations (spec: NotificationPreference, UserQuietHours).
 */
export class UserQuietHours extends defineModel({
  table: 'user_quiet_hours',
  columns: {
    id: platformKey.id.hidden(),
    user_id: link().serverSet().hidden(),
    enabled: yesOrNo().default(false),
    start_time: timeOfDay().default('22:00:00').meta({ example: '22:00' }),
    end_time: timeOfDay().default('07:00:00').meta({ example: '07:00' }),
    timezone: column(DataTypes.TEXT, timezone, z.string()).meta({ example: 'America/New_York' }),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
  constraints: {
    user_quiet_hours_differ: () => invalid('end_time', 'Must differ from the start.'),
  },
}) {}
