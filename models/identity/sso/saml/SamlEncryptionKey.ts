import { link, moment, secret, tenantKeys, text, times } from '../../../database/model/columns.js';
import { defineModel } from '../../../database/model/defineModel.js';

/**
 * One of our keys for encrypted assertions: the current one, which our metadata contains, or an earlier one, which is
 * valid until its retirement date.
 */
export class SamlEncryptionKey extends defineModel({
  table: 'saml_encryption_keys',
  columns: {
    ...tenantKeys,
    configuration_id: link(),
    certificate: text(20_000),
    private_key_encrypted: secret(),
    retires_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
