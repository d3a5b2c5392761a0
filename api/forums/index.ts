import type { Route } from '../http/routes.js';
import { forumAttachmentRoutes } from './attachments/routes.js';
import { forumCommentRoutes } from './comments/routes.js';
import { forumSettingsRoutes } from './forum-settings/routes.js';
import { forumRoutes } from './forums/routes.js';
import { forumInvitationRoutes } from './invitations/routes.js';
import { forumJoinRequestRoutes } from './join-requests/routes.js';
import { forumMemberRoutes } from './members/routes.js';
import { forumPostRoutes } from './posts/routes.js';
import { forumSearchRoutes } from './search/routes.js';

export const forumsRoutes: Route[] = [
  ...forumSettingsRoutes,
  // Before the forums: `search` is not the id of one.
  ...forumSearchRoutes,
  ...forumRoutes,
  ...forumMemberRoutes,
  ...forumInvitationRoutes,
  ...forumJoinRequestRoutes,
  ...forumPostRoutes,
  ...forumCommentRoutes,
  ...forumAttachmentRoutes,
];
