import { z } from 'zod';
import { listDigests, readDigest } from '../../../models/notifications/digests/readDigests.js';
import { moment } from '../../../models/fields.js';
import { FREQUENCIES } from '../../../models/notifications/digests/DigestPreference.js';
import { CATEGORIES } from '../../../models/notifications/eventTypes.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { digestPolicy } from '../digest-preference/routes.js';

const DigestJson = z
  .object({
    id: z.uuid(),
    frequency: z.enum(FREQUENCIES),
    period_start: moment,
    period_end: moment,
    summary: z
      .string()
      .nullable()
      .meta({ description: 'Written by the AI service, if the organization allows it to read titles.' }),
    notification_count: z.int(),
    sent_at: moment.nullable().meta({ description: 'When it was mailed; null: not mailed, or not yet.' }),
    created_at: moment,
  })
  .meta({ id: 'NotificationDigest' });

const DigestDetailJson = DigestJson.extend({
  items: z
    .array(
      z.object({
        id: z.uuid(),
        category: z.enum(CATEGORIES),
        title: z.string(),
        body: z.string(),
        target_url: z.string(),
        action_label: z.string().nullable(),
        created_at: moment,
      }),
    )
    .meta({ description: 'At most 50 items, without those that the caller may not see any more.' }),
}).meta({ id: 'NotificationDigestDetail' });

const shared = {
  access: 'tenant',
  impersonation: 'closed',
  tags: ['notifications'],
  rule: by(digestPolicy, 'read'),
} as const;

export const digestRoutes = routes('/api/notifications/digests', [
  get(
    '/',
    {
      ...shared,
      summary: "The caller's digests, newest first",
      query: z.object(pageQuery),
      response: pageOf(DigestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, digestPolicy, 'read');
      return presentPage(await listDigests(actor.userId, pageRequest(query)), query, request, (digest) => digest);
    },
  ),

  get(
    '/:id/',
    { ...shared, summary: 'A digest of the caller, with its items', params: RowParams, response: DigestDetailJson },
    async ({ actor, params }) => {
      authorize(actor, digestPolicy, 'read');
      const { items, ...digest } = await readDigest(actor.userId, params.id);
      return {
        ...digest,
        items: items.map(({ targetUrl, actionLabel, createdAt, ...item }) => ({
          ...item,
          target_url: targetUrl,
          action_label: actionLabel,
          created_at: createdAt.toISOString(),
        })),
      };
    },
  ),
]);
