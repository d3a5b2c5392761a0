import { renderMail } from '../../../gateways/mail/render.js';
import { loadRow, readPage } from '../../../models/database/model/read.js';
import { createBody, editBody, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { BulletinRecipient } from '../../../models/foundation/bulletins/BulletinRecipient.js';
import {
  changeBulletin,
  createBulletin,
  readBulletin,
  removeBulletin,
} from '../../../models/foundation/bulletins/bulletins.js';
import { composeBulletinMail } from '../../../models/foundation/bulletins/bulletinMail.js';
import { FoundationBulletin } from '../../../models/foundation/bulletins/FoundationBulletin.js';
import {
  retryFailed,
  scheduleBulletin,
  sendBulletin,
  stopBulletin,
  unscheduleBulletin,
} from '../../../models/foundation/bulletins/moveBulletin.js';
import { readConfig } from '../../../models/foundation/config/readConfig.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { verifiedPrimary } from '../../../models/identity/emails/addresses.js';
import { notificationErrors } from '../../../models/notifications/errors.js';
import { readMailSender } from '../../../models/notifications/settings/readMailSender.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, may, policy } from '../../http/policy.js';
import { AfterCommit, del, get, patch, post, routes } from '../../http/routes.js';
import { EmailTestJson } from '../../notifications/email-config/schema.js';
import { sendTest } from '../../notifications/email-config/sendTest.js';
import { foundation } from '../fields.js';
import {
  BulletinDetailJson,
  BulletinFilters,
  BulletinJson,
  presentRecipient,
  RecipientFilters,
  RecipientJson,
  RetryBody,
  ScheduleBody,
} from './schema.js';

export const bulletinPolicy = policy('foundation bulletin', { read: [foundationEditor], write: [foundationAdmin] });

const { bulletin_not_editable, invalid_bulletin_transition, foundation_incomplete, foundation_not_configured } =
  foundationErrors;
const reads = { ...foundation, rule: by(bulletinPolicy, 'read') };
const writes = { ...foundation, rule: by(bulletinPolicy, 'write') };
const row = { ...writes, params: RowParams, response: BulletinDetailJson };
const sends = { ...row, errors: [invalid_bulletin_transition, foundation_incomplete, foundation_not_configured] };

export const foundationBulletinRoutes = routes('/api/foundation/bulletins', [
  get(
    '/',
    {
      ...reads,
      summary: 'List bulletins of the foundation, the newest first',
      operationId: 'listFoundationBulletins',
      query: BulletinFilters,
      response: pageOf(BulletinJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, bulletinPolicy, 'read');
      const { page: _, page_size: __, ...where } = query;
      const options = { where, orderBy: 'foundation_bulletins.id DESC', ...pageRequest(query) };
      return presentPage(await readPage(FoundationBulletin, options), query, request, (bulletin) => bulletin);
    },
  ),

  post(
    '/',
    {
      ...writes,
      summary: 'Create a bulletin as a draft',
      operationId: 'createFoundationBulletin',
      body: createBody(FoundationBulletin),
      response: BulletinDetailJson,
      status: 201,
      errors: [foundation_not_configured],
    },
    async ({ actor, body }) => {
      authorize(actor, bulletinPolicy, 'write');
      const { campaign, ...bulletin } = body;
      return createBulletin({ ...bulletin, campaign_id: campaign });
    },
  ),

  get(
    '/:id/',
    {
      ...reads,
      summary: 'Get a bulletin with the number of its recipients in each status',
      operationId: 'getFoundationBulletin',
      params: RowParams,
      response: BulletinDetailJson,
    },
    ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'read');
      return readBulletin(params.id);
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change a bulletin before it is sent',
      operationId: 'changeFoundationBulletin',
      body: editBody(FoundationBulletin),
      errors: [bulletin_not_editable, refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      authorize(actor, bulletinPolicy, 'write');
      return changeBulletin(params.id, { ...toColumns(FoundationBulletin, body), version: body.version });
    },
  ),

  del(
    '/:id/',
    {
      ...writes,
      summary: 'Delete a draft of a bulletin',
      operationId: 'deleteFoundationBulletin',
      params: RowParams,
      errors: [bulletin_not_editable, invalid_bulletin_transition],
    },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'write');
      await removeBulletin(params.id);
    },
  ),

  post(
    '/:id/schedule/',
    {
      ...sends,
      summary: 'Schedule a draft',
      description: 'It can be changed until it is due. The audience is that of the moment when sending begins.',
      operationId: 'scheduleFoundationBulletin',
      body: ScheduleBody,
    },
    async ({ actor, params, body }) => {
      authorize(actor, bulletinPolicy, 'write');
      await scheduleBulletin(params.id, new Date(body.send_at));
      return readBulletin(params.id);
    },
  ),

  post(
    '/:id/unschedule/',
    {
      ...row,
      summary: 'Make a scheduled bulletin a draft again',
      operationId: 'unscheduleFoundationBulletin',
      errors: [invalid_bulletin_transition],
    },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'write');
      await unscheduleBulletin(params.id);
      return readBulletin(params.id);
    },
  ),

  post(
    '/:id/send/',
    {
      ...sends,
      summary: 'Send a bulletin now, or go on with one that is on hold',
      operationId: 'sendFoundationBulletin',
    },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'write');
      await sendBulletin(params.id);
      return readBulletin(params.id);
    },
  ),

  post(
    '/:id/stop/',
    {
      ...row,
      summary: 'Stop a bulletin that is being sent',
      description: 'At most ten mails are still in flight. All other recipients are skipped.',
      operationId: 'stopFoundationBulletin',
      errors: [invalid_bulletin_transition],
    },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'write');
      await stopBulletin(params.id);
      return readBulletin(params.id);
    },
  ),

  post(
    '/:id/retry-failed/',
    {
      ...sends,
      summary: 'Mail failed recipients again',
      description:
        'Mails those whose server was unavailable, and with `include_unknown` those whose mail may have arrived. Recipients that were refused for good are not tried again.',
      operationId: 'retryFoundationBulletin',
      body: RetryBody,
    },
    async ({ actor, params, body }) => {
      authorize(actor, bulletinPolicy, 'write');
      await retryFailed(params.id, body.include_unknown);
      return readBulletin(params.id);
    },
  ),

  post(
    '/:id/test/',
    {
      ...writes,
      summary: 'Mail a bulletin to yourself',
      description:
        'Goes only to the primary address of the caller, in any status, and has no unsubscribe link. The response says at which step sending failed.',
      operationId: 'testFoundationBulletin',
      throttle: ['bulletin_test'],
      params: RowParams,
      response: EmailTestJson,
      errors: [notificationErrors.address_not_verified, foundation_incomplete, foundation_not_configured],
    },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'write');
      const bulletin = await loadRow(FoundationBulletin, params.id);
      const to = await verifiedPrimary(actor.userId);
      if (to === null) throw notificationErrors.address_not_verified();
      const { subject, sender, ...content } = composeBulletinMail(bulletin, await readConfig());
      const sending = await readMailSender();
      const mail = { ...content, subject: `Test: ${subject}`, sender: { ...sending.organization, name: sender } };
      return new AfterCommit(() => sendTest(sending, to, renderMail({ ...mail, firstName: null, timezone: 'UTC' })));
    },
  ),

  get(
    '/:id/recipients/',
    {
      ...reads,
      summary: 'List the recipients of a bulletin, by e-mail address',
      operationId: 'listFoundationBulletinRecipients',
      params: RowParams,
      query: RecipientFilters,
      response: pageOf(RecipientJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, bulletinPolicy, 'read');
      const { id: bulletin_id } = await loadRow(FoundationBulletin, params.id);
      const { page: _, page_size: __, ...filters } = query;
      const where = { bulletin_id, ...filters };
      const options = { where, orderBy: 'foundation_bulletin_recipients.email', ...pageRequest(query) };
      const page = await readPage(BulletinRecipient, options);
      return presentPage(page, query, request, presentRecipient(may(actor, bulletinPolicy, 'write')));
    },
  ),
]);
