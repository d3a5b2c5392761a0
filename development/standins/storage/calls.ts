/** The calls to the storage, by the provider's own action names. */
import type { Exchange } from '../kit/exchange.js';

export interface Call {
  action: string;
  /** What the call is about: `<bucket>`, `<bucket>/<object key>`, or the name of a user. */
  target: string;
  /** The id of the access key that signed the call. */
  by: string;
}

/** Returns the action name of a request about a bucket or an object. */
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

/** Returns the permission that a policy must allow for an action. */
export const permissionFor = (action: string): string => PERMISSION[action] ?? `s3:${action}`;

const MAX_CALLS = 50_000;

/** The most recent calls, in order. */
export class Calls {
  private readonly calls: Call[] = [];

  add(call: Call): void {
    this.calls.push(call);
    if (this.calls.length > MAX_CALLS) this.calls.shift();
  }

  all = (): readonly Call[] => [...this.calls];
}
