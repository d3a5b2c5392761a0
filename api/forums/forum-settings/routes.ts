import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { ForumSettings } from '../../../models/forums/forum-settings/ForumSettings.js';
import { readForumSettings, updateForumSettings } from '../../../models/forums/forum-settings/updateForumSettings.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { forums } from '../fields.js';

const settingsPolicy = policy('forum settings', { read: [nationalAdmin], write: [nationalAdmin] });

const SettingsEdit = editBody(ForumSettings)
  .extend({
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you read; 0 if the settings were never changed. If it has changed, the answer is 409.',
    }),
  })
  .meta({ id: 'ForumSettingsEdit', example: { forum_creators: 'admins', version: 0 } });

const shared = { ...forums, params: OrganizationParams, response: rowJson(ForumSettings) };

export const forumSettingsRoutes = routes('/api/organizations/:organization_id/forum-settings', [
  get(
    '/',
    { ...shared, summary: 'Settings for forums of the organization', rule: by(settingsPolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, settingsPolicy, 'read');
      return readForumSettings();
    },
  ),
  patch(
    '/',
    {
      ...shared,
      summary: 'Edit the settings for forums',
      rule: by(settingsPolicy, 'write'),
      body: SettingsEdit,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, settingsPolicy, 'write');
      return updateForumSettings(body);
    },
  ),
]);
