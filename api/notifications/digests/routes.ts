import { z } from 'zod';
import { listDigests, readDigest } from '../../../models/notifications/digests/readDigests.js';
import { digestPolicy } from '../digest-preference/routes.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { DigestDetailJson, DigestJson } from './schema.js';

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
