import { day, link, moment, secret, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** A proof that a member was in good standing on a day, visible to anyone with its code. */
export class GoodStandingProof extends defineModel({
  table: 'good_standing_proofs',
  subject: 'good_standing_proof',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    membership_id: link().as('membership').serverSet(),
    code_hash: secret(),
    was_good_on: day()
      .serverSet()
      .meta({ description: "The day of the proof, in the organization's time zone; later days are not covered." }),
    good_until: day().serverSet().meta({ description: 'The last day on which the code shows the proof.' }),
    revoked_at: moment().nullable().serverSet(),
    ...times,
  },
}) {}
