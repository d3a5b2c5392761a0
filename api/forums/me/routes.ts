import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { changeHandle, readHandle } from '../../../models/organizations/member-handles/memberHandles.js';
import { username } from '../../../models/organizations/member-handles/username.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { forums } from '../fields.js';

const profilePolicy = policy('own forum profile', { read: [anyone], write: [anyone] });

const ProfileJson = z.object({ username: z.string(), user: z.uuid() }).meta({ id: 'ForumProfile' });
const ProfileEdit = z.object({ username }).meta({ id: 'ForumProfileEdit', example: { username: 'ada.lovelace' } });

const profile = { ...forums, response: ProfileJson } as const;

async function readProfile(userId: string): Promise<z.output<typeof ProfileJson>> {
  const { username: name, user } = await readHandle(userId);
  return { username: name, user };
}

export const forumProfileRoutes = routes('/api/forums/me', [
  get(
    '/',
    { ...profile, summary: 'Your user name', operationId: 'getForumProfile', rule: by(profilePolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, profilePolicy, 'read');
      return readProfile(actor.userId);
    },
  ),

  patch(
    '/',
    {
      ...profile,
      summary: 'Change your user name',
      description: 'Texts mention you by it, as `@username`. Mentions by an earlier name no longer reach you.',
      operationId: 'updateForumProfile',
      rule: by(profilePolicy, 'write'),
      body: ProfileEdit,
      errors: [refuse.duplicate],
    },
    async ({ actor, body }) => {
      authorize(actor, profilePolicy, 'write');
      await changeHandle(actor.userId, body.username);
      return readProfile(actor.userId);
    },
  ),
]);
