import { z } from 'zod';
import { createBody } from '../../../models/database/model/schemas.js';
import { FoundationPaymentProcessor } from '../../../models/foundation/config/FoundationPaymentProcessor.js';
import { ProcessorConnect, ProcessorJson } from '../../finances/payment-processors/schema.js';

const { fee_pass_through } = createBody(FoundationPaymentProcessor).shape;
const feePassThrough = fee_pass_through.unwrap();

export const FoundationProcessorJson = ProcessorJson.extend({ fee_pass_through: feePassThrough }).meta({
  id: 'FoundationPaymentProcessor',
});

export const FoundationProcessorPut = ProcessorConnect.extend({ fee_pass_through: feePassThrough.optional() }).meta({
  id: 'FoundationPaymentProcessorPut',
});

export const FoundationProcessorEdit = z
  .object({ fee_pass_through: feePassThrough.optional() })
  .meta({ id: 'FoundationPaymentProcessorEdit' });
