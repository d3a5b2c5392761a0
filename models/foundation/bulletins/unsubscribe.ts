/**
 * Unsubscribing from the bulletins of a foundation, with a signed link and without signing in (RFC 8058). Each mail has a
 * link of its own.
 */
import { z } from 'zod';
import { config } from '../../../config.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { isSigned, sign } from '../../database/signatures.js';
import { inTenant } from '../../database/tenancy.js';

const PURPOSE = 'bulletin-unsubscribe';
/** Bytes of the signature, so that the link fits into one line of a mail. */
const SIGNATURE_BYTES = 16;

/** The recipient of a mail, as an unsubscribe link names it. */
export interface MailedRecipient {
  organizationId: string;
  recipientId: string;
}

const Content = z.tuple([z.uuid(), z.uuid()]);

/** Returns the unsubscribe link of a mail. */
export function bulletinUnsubscribeUrl({ organizationId, recipientId }: MailedRecipient): string {
  const text = `${organizationId}.${recipientId}`;
  const signature = sign(PURPOSE, text, SIGNATURE_BYTES).toString('base64url');
  return `${config.backendUrl}/api/foundation/public/unsubscribe/${text}.${signature}/`;
}

/** Returns the recipient that a token names; null if its signature is wrong. */
export function openBulletinToken(token: string): MailedRecipient | null {
  const [organization = '', recipient = '', signature = '', ...more] = token.split('.');
  const text = `${organization}.${recipient}`;
  if (more.length > 0 || !isSigned(PURPOSE, text, Buffer.from(signature, 'base64url'), SIGNATURE_BYTES)) return null;
  const content = Content.safeParse([organization, recipient]);
  return content.success ? { organizationId: content.data[0], recipientId: content.data[1] } : null;
}

/** Returns the name of the foundation of a link; null if it was deleted. */
export const foundationNameOf = ({ organizationId }: MailedRecipient): Promise<string | null> =>
  inTenant(
    organizationId,
    async () =>
      (
        await firstRow<{ name: string }>(
          'SELECT coalesce(legal_name, name) AS name FROM foundation_configs WHERE organization_id = $1',
          [currentOrganization()],
        )
      )?.name ?? null,
    { readOnly: true },
  );

/**
 * Ends bulletins to the address of a recipient. May be repeated. Does nothing for a recipient who was erased, who gets no
 * bulletin anyway.
 */
export const unsubscribeRecipient = ({ organizationId, recipientId }: MailedRecipient): Promise<void> =>
  inTenant(organizationId, async () => {
    await rows(
      `INSERT INTO foundation_bulletin_optouts (organization_id, email)
       SELECT organization_id, email FROM foundation_bulletin_recipients WHERE organization_id = $1 AND id = $2
       ON CONFLICT ON CONSTRAINT bulletin_optouts_once DO NOTHING`,
      [organizationId, recipientId],
    );
  });

/** Applies an opt-out from bulletins to the new address of a donor as well. */
export const copyOptout = (from: string, to: string): Promise<unknown> =>
  rows(
    `INSERT INTO foundation_bulletin_optouts (organization_id, email)
     SELECT organization_id, lower($3) FROM foundation_bulletin_optouts WHERE organization_id = $1 AND email = lower($2)
     ON CONFLICT ON CONSTRAINT bulletin_optouts_once DO NOTHING`,
    [currentOrganization(), from, to],
  );
