import { refuse } from '../../../models/errors.js';
import { deleteRow } from '../../../models/finances/deleteRow.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  createBillingOverride,
  listBillingOverrides,
  readBillingOverride,
  requireTerm,
} from '../../../models/finances/overrides/billingOverrides.js';
import { patchRow } from '../../../models/finances/patchRow.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { finances, OrganizationParams, OrganizationRowParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { billingOverridePolicy } from './policy.js';
import { BillingOverrideCreate, BillingOverrideFilters, BillingOverrideJson, BillingOverridePatch } from './schema.js';

const list = { ...finances, params: OrganizationParams };
const row = { ...finances, params: OrganizationRowParams };

export const billingOverrideRoutes = routes('/api/hq/dues/:organization_id/billing-overrides', [
  get(
    '/',
    {
      ...list,
      summary: 'List billing overrides',
      rule: by(billingOverridePolicy, 'read'),
      query: BillingOverrideFilters,
      response: pageOf(BillingOverrideJson),
    },
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, billingOverridePolicy, 'read');
      const page = await listBillingOverrides({
        chapter: query.chapter,
        orderBy: query.ordering,
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (override) => override);
    },
  ),

  post(
    '/',
    {
      ...list,
      summary: 'Bill a chapter in another way from a term on',
      rule: by(billingOverridePolicy, 'write'),
      body: BillingOverrideCreate,
      response: BillingOverrideJson,
      status: 201,
      errors: [financesErrors.override_exists],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, billingOverridePolicy, 'write');
      return createBillingOverride(body);
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change a billing override',
      rule: by(billingOverridePolicy, 'write'),
      body: BillingOverridePatch,
      response: BillingOverrideJson,
      errors: [refuse.stale_version, financesErrors.override_exists],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, billingOverridePolicy, 'write');
      const { version, effective_term: effective_term_id, billing_mode } = body;
      if (effective_term_id) await requireTerm('effective_term', effective_term_id);
      const values = { effective_term_id, billing_mode };
      await patchRow({
        table: 'chapter_billing_overrides',
        key: ['id', params.id],
        values,
        version,
        subjectType: 'billing_override',
      });
      return readBillingOverride(params.id);
    },
  ),

  del(
    '/:id/',
    { ...row, summary: 'Remove a billing override', rule: by(billingOverridePolicy, 'write') },
    async ({ actor, params }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, billingOverridePolicy, 'write');
      await deleteRow('chapter_billing_overrides', params.id, 'billing_override');
    },
  ),
]);
