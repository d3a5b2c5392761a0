import { day, link, moment, secret, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** That a member was in good standing on a day, for whoever has its code. */
export class GoodStandingProof extends defineModel({
  table: 'good_standing_proofs',
  subject: 'good_standing_proof',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').kept(),
    membership_id: link().as('membership').kept(),
    code_hash: secret(),
    was_good_on: day().kept().meta({ description: "A day of the organization's: nothing is said of any since." }),
    good_until: day().kept().meta({ description: 'The last day on which whoever has the code can see it.' }),
    revoked_at: moment().nullable().kept(),
    ...times,
  },
}) {}
