/** Mails of notifications, each at most once. */
import { config } from '../../config.js';
import { type Mail, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type ClaimedDelivery,
  concludeDelivery,
  postponeDeliveries,
} from '../../models/notifications/deliveries/claimDeliveries.js';
import { mail } from '../mail.js';

/** @throws MailUnavailable when no server is there; what was not tried is then due again */
export async function sendMails(organizationId: string, claimed: ClaimedDelivery[]): Promise<void> {
  for (const [at, delivery] of claimed.entries()) {
    const { notificationId } = delivery;
    try {
      await mail().send(mailOf(delivery));
      await inTenant(organizationId, () => concludeDelivery('email', notificationId, 'sent'));
    } catch (error) {
      if (error instanceof MailRefused) {
        await inTenant(organizationId, () => concludeDelivery('email', notificationId, 'failed', 'refused'));
      } else if (error instanceof MailUnavailable && error.mayHaveBeenSent) {
        await inTenant(organizationId, () => concludeDelivery('email', notificationId, 'unknown', 'no_answer'));
      } else {
        const left = claimed.slice(at).map((one) => one.notificationId);
        await inTenant(organizationId, () => postponeDeliveries('email', left, 0));
        throw error;
      }
    }
  }
}

const mailOf = ({
  notificationId,
  address,
  title,
  body,
  targetUrl,
  actionLabel,
  firstName,
}: ClaimedDelivery): Mail => ({
  to: address,
  subject: title,
  text: [
    `Hello${firstName ? ` ${firstName}` : ''},`,
    title,
    ...(body ? [body] : []),
    `${actionLabel ?? 'See it here'}: ${config.frontendUrl}${targetUrl}`,
  ].join('\n\n'),
  messageId: `notification.${notificationId}`,
  // RFC 3834: answering machines leave it alone.
  headers: { 'Auto-Submitted': 'auto-generated' },
});
