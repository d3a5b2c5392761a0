import { z } from 'zod';
import { momentToCome, seenVersion } from '../../../models/fields.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { SocialPost } from '../../../models/organizations/social-posts/SocialPost.js';

export const SocialPostJson = rowJson(SocialPost);

export const PublishBody = z.object({
  publish_at: momentToCome
    .optional()
    .meta({ description: 'When. Left out, or over: now.', example: '2026-09-01T08:00:00.000Z' }),
  again: z
    .boolean()
    .optional()
    .meta({ description: 'Of a post that is `unknown`: publish it, if it cannot be found at the network.' }),
  version: seenVersion,
});
