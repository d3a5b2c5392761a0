/** The texts of a receipt that a foundation may replace. The facts that make a receipt valid are always printed. */
import { z } from 'zod';
import { text } from '../../fields.js';

/** Names of the placeholders that these texts may contain. */
export const RECEIPT_PLACEHOLDERS = ['donor_name', 'amount', 'date', 'campaign'] as const;

const PLACEHOLDER = new RegExp(`\\{(?:${RECEIPT_PLACEHOLDERS.join('|')})\\}`, 'g');

/** Reports whether every brace belongs to a known placeholder, so that a mistyped one does not reach a donor. */
const hasKnownPlaceholders = (template: string): boolean => !/[{}]/.test(template.replaceAll(PLACEHOLDER, ''));

const template = text(2000).refine(
  hasKnownPlaceholders,
  `Only these placeholders are known: ${RECEIPT_PLACEHOLDERS.map((placeholder) => `{${placeholder}}`).join(' ')}.`,
);

/** Plain texts before and after the facts of a receipt. */
export const receiptOverrides = z
  .strictObject({ intro: template.optional(), thanks: template.optional() })
  .meta({ id: 'ReceiptTemplateOverrides' });
export type ReceiptOverrides = z.output<typeof receiptOverrides>;
