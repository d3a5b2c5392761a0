import { z } from 'zod';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { previewHash } from '../../../models/fields.js';
import { forumErrors } from '../../../models/forums/errors.js';
import {
  createRule,
  editRule,
  removeRule,
  requirePattern,
} from '../../../models/forums/moderation-rules/changeRules.js';
import { ModerationRule } from '../../../models/forums/moderation-rules/ModerationRule.js';
import { MAX_EXAMPLES, PREVIEWED_TEXTS, previewRule } from '../../../models/forums/moderation-rules/previewRule.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { forums } from '../fields.js';

const rulePolicy = policy('moderation rule', { read: [nationalAdmin], write: [nationalAdmin] });

const RuleJson = rowJson(ModerationRule);
const preview_hash = previewHash.optional().meta({
  description: 'The hash of a preview of this rule. Required for an active rule with the action `block`.',
});
const example = { kind: 'keyword', pattern: 'free money', action: 'flag' };
const fields = createBody(ModerationRule).shape;

const RuleCreate = z.object({ ...fields, preview_hash }).meta({ id: 'ModerationRuleCreate', example });
const RuleEdit = editBody(ModerationRule)
  .extend({ preview_hash })
  .meta({ id: 'ModerationRuleEdit', example: { is_active: false, version: 1 } });
const PreviewBody = z
  .object({ ...fields, action: fields.action.optional() })
  .meta({ id: 'ModerationRulePreviewRequest', example });
const PreviewJson = z
  .object({
    matches: z.int().meta({ description: `Number of texts that match, among the newest ${PREVIEWED_TEXTS}.` }),
    examples: z
      .array(
        z.object({
          forum: z.uuid(),
          post: z.uuid(),
          comment: z.uuid().nullable(),
          title: z.string().nullable().meta({ description: 'Null for a comment.' }),
          excerpt: z.string(),
        }),
      )
      .meta({ description: `The newest texts that match, at most ${MAX_EXAMPLES}.` }),
    preview_hash: z.string(),
  })
  .meta({ id: 'ModerationRulePreview' });

const ofOrganization = { ...forums, params: OrganizationParams };
const ofRule = { ...forums, params: OrganizationRowParams };
const writes = { rule: by(rulePolicy, 'write') };

export const moderationRuleRoutes = routes('/api/organizations/:organization_id/moderation-rules', [
  get(
    '/',
    {
      ...ofOrganization,
      summary: 'List the moderation rules of the organization, the newest first',
      rule: by(rulePolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(RuleJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, rulePolicy, 'read');
      const page = await readPage(ModerationRule, {
        ...pageRequest(query),
        orderBy: 'moderation_rules.id DESC',
        where: {},
      });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...ofOrganization,
      ...writes,
      summary: 'Create a moderation rule',
      description: 'An organization has at most 500 rules. They check texts that are written from now on.',
      body: RuleCreate,
      response: RuleJson,
      status: 201,
      errors: [forumErrors.too_many_rules, refuse.preview_stale],
    },
    async ({ actor, body }) => {
      authorize(actor, rulePolicy, 'write');
      const { preview_hash: hash, ...rule } = body;
      return readRow(ModerationRule, await createRule(rule, hash));
    },
  ),

  post(
    '/preview/',
    {
      ...ofOrganization,
      ...writes,
      summary: 'Preview which texts a moderation rule matches',
      operationId: 'previewModerationRule',
      body: PreviewBody,
      response: PreviewJson,
    },
    async ({ actor, body }) => {
      authorize(actor, rulePolicy, 'write');
      requirePattern(body);
      return previewRule(body);
    },
  ),

  patch(
    '/:id/',
    {
      ...ofRule,
      ...writes,
      summary: 'Change a moderation rule',
      body: RuleEdit,
      response: RuleJson,
      errors: [refuse.stale_version, refuse.preview_stale],
    },
    async ({ actor, params, body }) => {
      authorize(actor, rulePolicy, 'write');
      const { preview_hash: hash, ...edit } = body;
      await editRule(params.id, edit, hash);
      return readRow(ModerationRule, params.id);
    },
  ),

  del('/:id/', { ...ofRule, ...writes, summary: 'Delete a moderation rule' }, async ({ actor, params }) => {
    authorize(actor, rulePolicy, 'write');
    await removeRule(params.id);
  }),
]);
