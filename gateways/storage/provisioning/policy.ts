/** The permissions of a provisioned user: only those that storing files needs, below one prefix of one bucket. */
import { isDeepStrictEqual } from 'node:util';
import type { WantedStore } from './port.js';

export const POLICY_NAME = 'files';

const arn = (resource: string): string => `arn:aws:s3:::${resource}`;

export const policyFor = ({ bucket, prefix }: WantedStore) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'Files',
      Effect: 'Allow',
      Action: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      Resource: arn(`${bucket}/${prefix}*`),
    },
    // Without this permission the store answers 403 for a missing object. The bucket contains only this organization's
    // files.
    { Sid: 'Missing', Effect: 'Allow', Action: ['s3:ListBucket'], Resource: arn(bucket) },
  ],
});

/**
 * Reports whether a policy is the wanted one.
 * @param document the policy as the provider returns it, URL-encoded
 */
export function isPolicyFor(wanted: WantedStore, document: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(decodeURIComponent(document)), policyFor(wanted));
  } catch {
    return false;
  }
}
