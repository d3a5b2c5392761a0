import { z } from 'zod';
import { ONBOARDING_ITEMS, readOnboarding } from '../../../models/organizations/profiles/readOnboarding.js';
import { authorize, by } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { memberProfilePolicy } from '../profile/policy.js';

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
            'By the fact: date of birth and the first line of the address are there, no consent is missing, somebody has signed in.',
        }),
      }),
    ),
  })
  .meta({ id: 'Onboarding' });

export const onboardingRoutes = [
  get(
    '/api/me/onboarding/',
    {
      summary: 'What is left for you to do in this organization',
      description: 'For each membership that lets you in. Nothing is ticked off here: it is done when it is done.',
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
