import { config } from '../../../config.js';
import { plainTextOf, withAbsoluteLinks } from '../../richText.js';
import type { FoundationConfig } from '../config/FoundationConfig.js';
import { foundationErrors } from '../errors.js';
import type { FoundationBulletin } from './FoundationBulletin.js';

type Content = Pick<FoundationBulletin, 'subject' | 'body_html' | 'body_text' | 'audience'>;
type Sender = Pick<FoundationConfig, 'name' | 'legal_name' | 'mailing_address'>;

/** The refusal if the foundation lacks the postal address that every bulletin shows. */
export const missingAddress = () =>
  foundationErrors.foundation_incomplete('A bulletin needs the mailing address of the foundation.', {
    mailing_address: ['Is missing.'],
  });

/**
 * Composes the mail of a bulletin. All recipients get the same text; only the unsubscribe link differs.
 * @throws Refusal foundation_incomplete
 */
export function composeBulletinMail(bulletin: Content, foundation: Sender) {
  const { subject, body_html, body_text, audience } = bulletin;
  if (foundation.mailing_address === null) throw missingAddress();
  const sender = foundation.legal_name ?? foundation.name;
  const html = body_html === null ? null : withAbsoluteLinks(body_html, config.frontendUrl);
  return {
    subject,
    sender,
    body: { html, text: body_text ?? plainTextOf(html ?? '') },
    footer: [
      sender,
      foundation.mailing_address,
      audience === 'organization_members'
        ? 'You get this mail because you are a member of the organization of the foundation.'
        : 'You get this mail because you gave to the foundation.',
    ],
  };
}
