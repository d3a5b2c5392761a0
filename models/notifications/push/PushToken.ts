import { link, moment, name, oneOf, platformKey, secret, stamps, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];
export const ENVIRONMENTS = ['production', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Why no more pushes go there. */
const DEACTIVATED = ['removed', 'session_ended', 'unregistered', 'replaced'] as const;

/** A phone of a person, as its push gateway names it (spec: PushToken). */
export class PushToken extends defineModel({
  table: 'push_tokens',
  columns: {
    ...platformKey,
    user_id: link().kept().hidden(),
    session_id: link().nullable().kept().hidden(),
    confined_to: link().nullable().kept().hidden(),
    platform: oneOf(PLATFORMS),
    environment: oneOf(ENVIRONMENTS)
      .default('production')
      .meta({ description: 'APNs keeps apps that developers install apart.' }),
    token_encrypted: secret(),
    token_hash: secret(),
    device_name: name(100).nullable().meta({ example: "Kim's phone" }),
    is_active: yesOrNo().default(true).kept(),
    last_registered_at: moment().computed('now()'),
    deactivated_reason: oneOf(DEACTIVATED).nullable().kept(),
    deactivated_at: moment().nullable().hidden(),
    ...stamps,
  },
}) {}
