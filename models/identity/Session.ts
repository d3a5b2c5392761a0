import { z } from 'zod';
import { integer, json, link, moment, oneOf, platformKey, text, times, yesOrNo } from '../database/model/columns.js';
import { defineModel, derived } from '../database/model/defineModel.js';
import { moment as shownMoment } from '../fields.js';
import { AUTH_METHODS } from './Actor.js';

/** Where somebody is signed in. */
export class Session extends defineModel({
  table: 'sessions',
  columns: {
    ...platformKey,
    user_id: link().hidden(),
    organization_id: link()
      .as('organization')
      .nullable()
      .meta({ description: 'In which it acts; null for platform admins.' }),
    switches: integer(0, 2_147_483_647).default(0).hidden(),
    client: oneOf(['web', 'native']).default('web'),
    user_agent: text(300).nullable(),
    ip_address: text(60).nullable(),
    auth_method: oneOf(AUTH_METHODS).default('password').meta({ description: 'The newest proof that it rests on.' }),
    // Long ago stands for unknown.
    auth_time: moment().computed('now()').hidden(),
    confined: yesOrNo().default(false).hidden(),
    connection_id: link().nullable().hidden(),
    provider_name_id: text(1024).nullable().hidden(),
    provider_name_attributes: json(z.record(z.string(), z.unknown())).nullable().hidden(),
    provider_session: text(1024).nullable().hidden(),
    provider_answered_at: moment().nullable().hidden(),
    impersonation_id: link().nullable().hidden(),
    last_seen_at: moment().computed('now()').meta({ description: 'When it last got tokens.' }),
    expires_at: moment().meta({ description: 'Unless it is refreshed before.' }),
    revoked_at: moment().nullable().hidden(),
    revoked_reason: text(50).nullable().hidden(),
    created_at: times.created_at,
    updated_at: times.updated_at.hidden(),
  },
  derived: {
    auth_time: derived(
      shownMoment
        .nullable()
        .meta({ description: 'When that was given; null when the identity provider does not say.' }),
      `nullif(sessions.auth_time, 'epoch')`,
    ),
  },
}) {}
