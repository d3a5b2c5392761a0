import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { found } from '../../../models/organizations/found.js';
import { changeRegion, createRegion, listRegions, readRegion } from '../../../models/organizations/regions.js';
import { authorize, by } from '../../http/policy.js';
import { get, patch, post, routes } from '../../http/routes.js';
import { OrganizationParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { regionPolicy } from './policy.js';
import { RegionCreate, RegionEdit, RegionJson, RegionParams } from './schema.js';

const tags = ['organizations'];

export const regionRoutes = routes('/api/organizations/:id/regions', [
  get(
    '/',
    {
      summary: 'Regions, by name; a bare array',
      rule: by(regionPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      response: z.array(RegionJson),
    },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, regionPolicy, 'read');
      return listRegions();
    },
  ),

  post(
    '/',
    {
      summary: 'Create a region',
      rule: by(regionPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: RegionCreate,
      response: RegionJson,
      status: 201,
      errors: [refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, regionPolicy, 'write');
      return found(await readRegion(await createRegion(body)));
    },
  ),

  get(
    '/:region_id/',
    {
      summary: 'A region',
      rule: by(regionPolicy, 'read'),
      access: 'tenant',
      tags,
      params: RegionParams,
      response: RegionJson,
    },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, regionPolicy, 'read');
      return found(await readRegion(params.region_id));
    },
  ),

  patch(
    '/:region_id/',
    {
      summary: 'Change a region',
      rule: by(regionPolicy, 'write'),
      access: 'tenant',
      tags,
      params: RegionParams,
      body: RegionEdit,
      response: RegionJson,
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, regionPolicy, 'write');
      await changeRegion(params.region_id, body);
      return found(await readRegion(params.region_id));
    },
  ),
]);
