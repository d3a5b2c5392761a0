import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { searchText } from '../../../models/fields.js';
import { Donor } from '../../../models/foundation/donations/Donor.js';
import { listDonors } from '../../../models/foundation/donations/listDonations.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const donorPolicy = policy('donor', { read: [foundationAdmin] });

const DonorJson = rowJson(Donor);
const DonorFilters = z.object({
  ...pageQuery,
  search: searchText.meta({ description: 'A part of the e-mail address, the first or the last name.' }),
});

export const donorRoutes = routes('/api/foundation/donors', [
  get(
    '/',
    {
      ...foundation,
      summary: 'List donors, by last name',
      rule: by(donorPolicy, 'read'),
      query: DonorFilters,
      response: pageOf(DonorJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, donorPolicy, 'read');
      return presentPage(await listDonors(query.search, pageRequest(query)), query, request, (donor) => donor);
    },
  ),

  get(
    '/:id/',
    { ...foundation, summary: 'Get a donor', rule: by(donorPolicy, 'read'), params: RowParams, response: DonorJson },
    ({ actor, params }) => {
      authorize(actor, donorPolicy, 'read');
      return readRow(Donor, params.id);
    },
  ),
]);
