/**
 * SQL of the names that a receipt of gift `d` by donor `o` prints: those given with the gift, or, if the name of the donor
 * was corrected after the gift, the corrected name.
 */
const IS_CORRECTED = '(o.erased_at IS NULL AND o.name_corrected_at >= d.created_at)';

export const RECEIPT_FIRST_NAME = `CASE WHEN ${IS_CORRECTED} THEN o.first_name ELSE d.first_name END`;

export const RECEIPT_NAME = `CASE WHEN ${IS_CORRECTED} THEN o.first_name || ' ' || o.last_name ELSE d.first_name || ' ' || d.last_name END`;
