import { z } from 'zod';
import { plannedMoment, seenVersion } from '../../../models/fields.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { SocialPost } from '../../../models/organizations/social-posts/SocialPost.js';

export const SocialPostJson = rowJson(SocialPost);

export const PublishBody = z.object({
  publish_at: plannedMoment
    .optional()
    .meta({ description: 'Publication time. If omitted or in the past: now.', example: '2026-09-01T08:00:00.000Z' }),
  again: z
    .boolean()
    .optional()
    .meta({ description: 'For a post that is `unknown`: publish it if it is not found on the network.' }),
  version: seenVersion,
});
