import { refuse } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { Term } from '../../../models/organizations/Term.js';
import { ordering } from '../../http/pagination.js';
import { anyone, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { routes } from '../../http/routes.js';

const term = resource(Term, {
  policy: policy('term', { read: [anyone], write: [nationalAdmin] }),
  tags: ['organizations'],
});
const description = 'Terms of an organization must not overlap. The first and the last day belong to the term.';
const errors = [refuse.duplicate, organizationsErrors.term_overlap];

export const termRoutes = routes('/api/organizations/:organization_id/terms', [
  term.page({
    summary: 'List terms, latest first',
    ordering: ordering({ starts_on: 'terms.starts_on', name: 'terms.name' }, '-starts_on'),
  }),
  term.create({ summary: 'Create a term', description, errors }),
  term.read({ summary: 'Get a term' }),
  term.change({ summary: 'Change a term', errors }),
]);
