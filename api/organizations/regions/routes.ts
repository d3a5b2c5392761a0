import { refuse } from '../../../models/errors.js';
import { Region } from '../../../models/organizations/Region.js';
import { anyone, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { routes } from '../../http/routes.js';

const region = resource(Region, {
  policy: policy('region', { read: [anyone], write: [nationalAdmin] }),
  tags: ['organizations'],
});

export const regionRoutes = routes('/api/organizations/:organization_id/regions', [
  region.list({ summary: 'Regions, by name; a bare array', orderBy: ['name'] }),
  region.create({ summary: 'Create a region', errors: [refuse.duplicate] }),
  region.read({ summary: 'A region' }),
  region.change({ summary: 'Change a region', errors: [refuse.duplicate] }),
]);
