/** What is asked of the store, by the provider's own names. */
import type { Exchange } from '../kit/exchange.js';

export interface Call {
  action: string;
  /** A bucket, with the key of an object if it is about one; or a user. */
  target: string;
  /** The key that asked. */
  by: string;
}

/** The name of what is asked of a bucket or an object. */
export function actionOf({ method, url: { searchParams } }: Exchange, key: string): string {
  const has = (name: string) => searchParams.has(name);
  if (key === '') {
    if (has('encryption')) return method === 'PUT' ? 'PutBucketEncryption' : 'GetBucketEncryption';
    if (has('publicAccessBlock')) return method === 'PUT' ? 'PutPublicAccessBlock' : 'GetPublicAccessBlock';
    return { PUT: 'CreateBucket', HEAD: 'HeadBucket' }[method] ?? 'NotImplemented';
  }
  if (method === 'DELETE') return has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject';
  if (method === 'POST') return has('uploadId') ? 'CompleteMultipartUpload' : 'CreateMultipartUpload';
  if (method === 'PUT' && has('uploadId')) return 'UploadPart';
  return { PUT: 'PutObject', GET: 'GetObject', HEAD: 'HeadObject' }[method] ?? 'NotImplemented';
}

const PERMISSION: Record<string, string> = {
  HeadObject: 's3:GetObject',
  CreateMultipartUpload: 's3:PutObject',
  UploadPart: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
};

/** What a policy has to allow for it. */
export const permissionFor = (action: string): string => PERMISSION[action] ?? `s3:${action}`;

const MOST = 50_000;

/** The last calls, in their order. */
export class Calls {
  private readonly calls: Call[] = [];

  note(call: Call): void {
    this.calls.push(call);
    if (this.calls.length > MOST) this.calls.shift();
  }

  all = (): readonly Call[] => [...this.calls];
}
