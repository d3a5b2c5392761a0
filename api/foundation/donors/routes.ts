import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { email, name, searchText, text } from '../../../models/fields.js';
import { Donor } from '../../../models/foundation/donations/Donor.js';
import { listDonors } from '../../../models/foundation/donations/listDonations.js';
import { changeDonor } from '../../../models/foundation/donors/changeDonor.js';
import { eraseDonor } from '../../../models/foundation/donors/eraseDonor.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, policy } from '../../http/policy.js';
import { get, patch, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const donorPolicy = policy('donor', { read: [foundationAdmin], write: [foundationAdmin], erase: [foundationAdmin] });

const DonorJson = rowJson(Donor);
const DonorFilters = z.object({
  ...pageQuery,
  search: searchText.meta({ description: 'A part of the e-mail address, the first or the last name.' }),
});

const DonorEdit = z
  .strictObject({
    email: email.optional(),
    first_name: name(100).optional(),
    last_name: name(100).optional(),
    phone: text(50).nullish(),
    address: text(500).nullish(),
  })
  .meta({ id: 'DonorEdit' });

const writes = { ...foundation, params: RowParams, response: DonorJson };

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

  patch(
    '/:id/',
    {
      ...writes,
      summary: 'Change a donor',
      description:
        'After a name, every valid receipt prints it: those with another name are replaced, and the new ones are mailed. After an e-mail address, the old address is notified.',
      rule: by(donorPolicy, 'write'),
      body: DonorEdit,
      errors: [refuse.duplicate, foundationErrors.donor_erased],
    },
    async ({ actor, params, body }) => {
      authorize(actor, donorPolicy, 'write');
      return changeDonor(params.id, body);
    },
  ),

  post(
    '/:id/erase/',
    {
      ...writes,
      summary: 'Erase a donor',
      description:
        'Deletes name, contact and mails, for good. Gifts and receipts are kept, as tax law requires. A second call changes nothing.',
      operationId: 'eraseDonor',
      rule: by(donorPolicy, 'erase'),
      stepUp: 'tenant',
    },
    async ({ actor, params }) => {
      authorize(actor, donorPolicy, 'erase');
      return eraseDonor(params.id);
    },
  ),
]);
