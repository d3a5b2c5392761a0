/** What a provisioned user may do: what files take, below the prefix of one bucket. */
import { isDeepStrictEqual } from 'node:util';
import type { Wanted } from './port.js';

export const POLICY_NAME = 'files';

const arn = (resource: string): string => `arn:aws:s3:::${resource}`;

export const policyFor = ({ bucket, prefix }: Wanted) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'Files',
      Effect: 'Allow',
      Action: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      Resource: arn(`${bucket}/${prefix}*`),
    },
    // Without it the store says of what is missing that it is forbidden. Nothing but this organization's files lies in the bucket.
    { Sid: 'Missing', Effect: 'Allow', Action: ['s3:ListBucket'], Resource: arn(bucket) },
  ],
});

/** @param document as the provider has it, encoded for an address */
export function isPolicyFor(wanted: Wanted, document: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(decodeURIComponent(document)), policyFor(wanted));
  } catch {
    return false;
  }
}
