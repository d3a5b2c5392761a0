import { z } from 'zod';
import { ONBOARDING_ITEMS, readOnboarding } from '../../../models/organizations/profiles/readOnboarding.js';
import { authorize, by } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { memberProfilePolicy } from '../profile/routes.js';

const OnboardingJson = z
  .object({
    is_complete: z.boolean(),
    items: z.array(
      z.object({
        membership: z.uuid(),
        chapter: z.uuid(),
        item: z.enum(ONBOARDING_ITEMS),
        is_done: z.boolean().meta({
          description:
            'Derived from data: date of birth and the first address line are set, no consent is due, the person has signed in.',
        }),
      }),
    ),
  })
  .meta({ id: 'Onboarding' });

export const onboardingRoutes = [
  get(
    '/api/me/onboarding/',
    {
      summary: 'Get your onboarding items in this organization',
      description:
        'Lists items for each membership with access. Items are completed by the data itself, not by a request.',
      operationId: 'getOnboarding',
      access: 'tenant',
      tags: ['organizations'],
      rule: by(memberProfilePolicy, 'read'),
      response: OnboardingJson,
    },
    async ({ actor }) => {
      authorize(actor, memberProfilePolicy, 'read');
      const items = await readOnboarding(actor.userId);
      return { is_complete: items.every(({ is_done }) => is_done), items };
    },
  ),
];
