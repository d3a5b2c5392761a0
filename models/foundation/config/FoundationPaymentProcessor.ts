import { link, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';

/** The processor account that takes the foundation's gifts: at most one. */
export class FoundationPaymentProcessor extends defineModel({
  table: 'foundation_payment_processors',
  subject: 'foundation_payment_processor',
  columns: {
    ...tenantKeys,
    foundation_id: link().serverSet().hidden(),
    processor_id: link().as('processor').serverSet(),
    fee_pass_through: yesOrNo().default(false).meta({ description: 'Donors may cover the fee of their gift.' }),
    ...stamps,
  },
  constraints: {
    foundation_processors_one_per_foundation: duplicateValue(
      'provider',
      'This foundation already has a payment processor.',
    ),
  },
}) {}
