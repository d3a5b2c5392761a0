/** Reports of mail servers about mail that they did not deliver (RFC 3464). */
import PostalMime from 'postal-mime';

/** What became of the mail for one recipient, when it did not arrive. */
export interface FailedDelivery {
  /** RFC 3463: `5.…` for good, `4.…` when the server has tried for as long as it tries. */
  status: string;
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|\(|$)/;

/** @returns why the mail failed; null when this is no report, or one of something else (delayed, relayed, delivered) */
export async function readReport(raw: Buffer): Promise<FailedDelivery | null> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' }).catch(() => null);
  const part = mail?.attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/i.test(mimeType));
  if (typeof part?.content !== 'string') return null;
  // First what is true of the whole message, then a group for each recipient.
  const [, ...recipients] = part.content
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n/);
  const failed = recipients.map(fieldsOf).find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  const status = failed && STATUS.exec(failed.get('status') ?? '')?.[0];
  return status && !status.startsWith('2.') ? { status } : null;
}

/** A group of header fields, unfolded; of two of a name the first. */
function fieldsOf(group: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of group.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}
