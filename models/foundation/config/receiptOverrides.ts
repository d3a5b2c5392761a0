/** The texts of a receipt that a foundation may replace. The facts that make a receipt valid are always printed. */
import { z } from 'zod';
import { text } from '../../fields.js';

/** Names of the placeholders that these texts may contain. */
export const RECEIPT_PLACEHOLDERS = ['donor_name', 'amount', 'date', 'campaign'] as const;

const hasKnownPlaceholders = (template: string): boolean =>
  [...template.matchAll(/\{([^{}]*)\}/g)].every(([, placeholder]) =>
    (RECEIPT_PLACEHOLDERS as readonly string[]).includes(placeholder as string),
  );

const template = text(2000).refine(
  hasKnownPlaceholders,
  `Only these placeholders are known: ${RECEIPT_PLACEHOLDERS.map((placeholder) => `{${placeholder}}`).join(' ')}.`,
);

/** Plain texts before and after the facts of a receipt. */
export const receiptOverrides = z
  .strictObject({ intro: template.optional(), thanks: template.optional() })
  .meta({ id: 'ReceiptTemplateOverrides' });
export type ReceiptOverrides = z.output<typeof receiptOverrides>;
