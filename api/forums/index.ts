import './readers.js';
import type { Route } from '../http/routes.js';
import { forumAttachmentRoutes } from './attachments/routes.js';
import { forumCommentRoutes } from './comments/routes.js';
import { forumSettingsRoutes } from './forum-settings/routes.js';
import { forumRoutes } from './forums/routes.js';
import { forumInvitationRoutes } from './invitations/routes.js';
import { forumJoinRequestRoutes } from './join-requests/routes.js';
import { forumMemberRoutes } from './members/routes.js';
import { forumProfileRoutes } from './me/routes.js';
import { forumMentionSearchRoutes } from './mention-search/routes.js';
import { moderationRuleRoutes } from './moderation-rules/routes.js';
import { forumFlagRoutes } from './posts/flagRoutes.js';
import { forumPostRoutes } from './posts/routes.js';
import { reviewQueueRoutes } from './review-queue/routes.js';
import { forumRevisionRoutes } from './revisions/routes.js';
import { forumSearchRoutes } from './search/routes.js';
import { forumSubscriptionRoutes, ownForumSubscriptionRoutes } from './subscription/routes.js';

export const forumsRoutes: Route[] = [
  ...forumSettingsRoutes,
  ...moderationRuleRoutes,
  // Before the forums: `review-queue`, `search` and `me` are not ids of one.
  ...reviewQueueRoutes,
  ...forumSearchRoutes,
  ...forumProfileRoutes,
  ...forumRoutes,
  ...forumMemberRoutes,
  ...forumInvitationRoutes,
  ...forumJoinRequestRoutes,
  ...forumPostRoutes,
  ...forumCommentRoutes,
  ...forumRevisionRoutes,
  ...forumAttachmentRoutes,
  ...forumFlagRoutes,
  ...forumMentionSearchRoutes,
  ...forumSubscriptionRoutes,
  ...ownForumSubscriptionRoutes,
];
