import { z } from 'zod';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, editBody, filterFields, rowJson, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { Campaign } from '../../../models/foundation/campaigns/Campaign.js';
import { changeCampaign, createCampaign, removeCampaign } from '../../../models/foundation/campaigns/campaigns.js';
import { removeHeroImage } from '../../../models/foundation/campaigns/heroImage.js';
import { moveCampaign } from '../../../models/foundation/campaigns/moveCampaign.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, policy } from '../../http/policy.js';
import { del, get, patch, post, put, routes } from '../../http/routes.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { foundation } from '../fields.js';
import { receiveHeroImage } from './heroImage.js';

const campaignPolicy = policy('campaign', { read: [foundationEditor], write: [foundationAdmin] });

const CampaignJson = rowJson(Campaign);
const create = createBody(Campaign).shape;
const CampaignCreate = z
  .object({
    ...create,
    fund: create.fund.optional().meta({ description: 'If left out, the default fund.' }),
  })
  .meta({ id: 'CampaignCreate' });

const CampaignFilters = z.object({
  ...pageQuery,
  ...filterFields(Campaign, ['status', 'visibility', 'fund']),
  ordering: ordering(
    {
      created_at: 'campaigns.created_at',
      title: 'campaigns.title',
      starts_on: 'campaigns.starts_on',
      ends_on: 'campaigns.ends_on',
      raised_cents: 'campaigns.raised_cents',
    },
    '-created_at',
    ['starts_on', 'ends_on'],
  ),
});

const { invalid_campaign_transition, foundation_incomplete, foundation_not_configured } = foundationErrors;
const reads = { ...foundation, rule: by(campaignPolicy, 'read') };
const writes = { ...foundation, rule: by(campaignPolicy, 'write') };
const row = { ...writes, params: RowParams, response: CampaignJson };

/** A route that changes the status. */
const transition = (
  name: Parameters<typeof moveCampaign>[1],
  texts: { summary: string; description: string },
  errors = [invalid_campaign_transition, foundation_not_configured],
) =>
  post(`/:id/${name}/`, { ...row, ...texts, errors }, async ({ actor, params }) => {
    authorize(actor, campaignPolicy, 'write');
    return moveCampaign(params.id, name);
  });

export const campaignRoutes = routes('/api/foundation/campaigns', [
  get(
    '/',
    { ...reads, summary: 'List campaigns', query: CampaignFilters, response: pageOf(CampaignJson) },
    async ({ actor, query, request }) => {
      authorize(actor, campaignPolicy, 'read');
      const { ordering: orderBy, page: _, page_size: __, ...where } = query;
      const page = await readPage(Campaign, { where: toColumns(Campaign, where), orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (campaign) => campaign);
    },
  ),

  post(
    '/',
    {
      ...writes,
      summary: 'Create a campaign as a draft',
      body: CampaignCreate,
      response: CampaignJson,
      status: 201,
      errors: [refuse.duplicate, foundation_not_configured],
    },
    async ({ actor, body }) => {
      authorize(actor, campaignPolicy, 'write');
      const { fund, ...campaign } = body;
      return createCampaign({ ...campaign, fund_id: fund });
    },
  ),

  get(
    '/:id/',
    { ...reads, summary: 'Get a campaign', params: RowParams, response: CampaignJson },
    async ({ actor, params }) => {
      authorize(actor, campaignPolicy, 'read');
      return readRow(Campaign, params.id);
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change a campaign',
      description:
        'Possible in any status. The slug stays once the campaign is published. Another fund receives later gifts only.',
      body: editBody(Campaign),
      errors: [refuse.stale_version, refuse.duplicate, foundation_not_configured],
    },
    async ({ actor, params, body }) => {
      authorize(actor, campaignPolicy, 'write');
      return changeCampaign(params.id, { ...toColumns(Campaign, body), version: body.version });
    },
  ),

  del(
    '/:id/',
    {
      ...writes,
      summary: 'Delete a draft of a campaign',
      params: RowParams,
      errors: [invalid_campaign_transition],
    },
    async ({ actor, params }) => {
      authorize(actor, campaignPolicy, 'write');
      await removeCampaign(params.id);
    },
  ),

  put(
    '/:id/hero-image/',
    {
      ...row,
      summary: 'Set the picture of a campaign',
      description:
        'A JPEG, PNG or WebP of at most 5 MB, in place of an earlier picture. It is drawn anew as a JPEG without metadata.',
      operationId: 'setHeroImage',
      upload: UploadForm,
      errors: [fileErrors.storage_unavailable, refuse.body_too_large],
    },
    async ({ actor, params, request }) => {
      authorize(actor, campaignPolicy, 'write');
      return receiveHeroImage(actor, request, params.id);
    },
  ),

  del(
    '/:id/hero-image/',
    { ...writes, summary: 'Delete the picture of a campaign', operationId: 'deleteHeroImage', params: RowParams },
    async ({ actor, params }) => {
      authorize(actor, campaignPolicy, 'write');
      await removeHeroImage(params.id);
    },
  ),

  transition(
    'publish',
    {
      summary: 'Publish a draft of a campaign',
      description:
        'The foundation needs a legal name, an EIN, a mailing address and a payment processor; `errors` names what is missing.',
    },
    [invalid_campaign_transition, foundation_incomplete, foundation_not_configured],
  ),
  transition('close', {
    summary: 'Close a campaign',
    description: 'It accepts no more gifts. A campaign whose last day is past closes by itself, daily at 01:00 UTC.',
  }),
  transition(
    'reopen',
    {
      summary: 'Reopen a closed campaign',
      description: 'It accepts gifts again, until its last day. The foundation must be complete, as for publishing.',
    },
    [invalid_campaign_transition, foundation_incomplete, foundation_not_configured],
  ),
]);
