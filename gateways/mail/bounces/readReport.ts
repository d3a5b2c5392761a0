/** Reads delivery status notifications of mail servers (RFC 3464). */
import PostalMime from 'postal-mime';

/** A delivery that failed. */
export interface FailedDelivery {
  /** The status of RFC 3463: `5.…` is permanent, `4.…` means that the server has given up retrying. */
  status: string;
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|\(|$)/;

/**
 * Returns why the mail failed; null if the message is not a report, or reports something else (delayed, relayed,
 * delivered).
 */
export async function readReport(raw: Buffer): Promise<FailedDelivery | null> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' }).catch(() => null);
  const part = mail?.attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/i.test(mimeType));
  if (typeof part?.content !== 'string') return null;
  // The report consists of groups of fields. The first group describes the whole message; each further group describes
  // one recipient.
  const [, ...recipients] = part.content
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n/);
  const failed = recipients.map(fieldsOf).find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  const status = failed && STATUS.exec(failed.get('status') ?? '')?.[0];
  return status && !status.startsWith('2.') ? { status } : null;
}

/** Returns the header fields of a group, with folded lines joined. If a field occurs twice, the first value counts. */
function fieldsOf(group: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of group.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}
