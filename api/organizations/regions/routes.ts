import { refuse } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { Region } from '../../../models/organizations/Region.js';
import { removeRegion } from '../../../models/organizations/removeRegion.js';
import { OrganizationRowParams } from '../../http/params.js';
import { anyone, authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { del, routes } from '../../http/routes.js';

const tags = ['organizations'];
const regionPolicy = policy('region', { read: [anyone], write: [nationalAdmin] });
const region = resource(Region, { policy: regionPolicy, tags });

export const regionRoutes = routes('/api/organizations/:organization_id/regions', [
  region.list({ summary: 'List regions, by name', orderBy: ['name'] }),
  region.create({ summary: 'Create a region', errors: [refuse.duplicate] }),
  region.read({ summary: 'Get a region' }),
  region.change({ summary: 'Change a region', errors: [refuse.duplicate] }),
  del(
    '/:id/',
    {
      summary: 'Delete an unused region',
      rule: by(regionPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      errors: [organizationsErrors.region_in_use],
    },
    async ({ actor, params }) => {
      authorize(actor, regionPolicy, 'write');
      await removeRegion(params.id);
    },
  ),
]);
