/** Provisions buckets, users and keys with the AWS SDK, at AWS or a compatible store. */
import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  GetUserCommand,
  GetUserPolicyCommand,
  IAMClient,
  ListAccessKeysCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  GetBucketEncryptionCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  PutBucketEncryptionCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { callProvider, failureOf, statusOf, nullIfMissing } from './failures.js';
import { isPolicyFor, POLICY_NAME, policyFor } from './policy.js';
import { type Part, type Provisioner, ProvisioningRefused, type WantedStore } from './port.js';

export interface ProvisioningSettings {
  accessKeyId: string;
  secretAccessKey: string;
  /** Address of a compatible store; null: AWS itself. */
  endpoint: string | null;
  identityEndpoint: string | null;
}

const MAX_ATTEMPTS = 2;
const requestHandler = { connectionTimeout: 3_000, requestTimeout: 8_000, throwOnRequestTimeout: true };
const NO_ENTITY = ['NoSuchEntity', 'NoSuchEntityException'];
/** AWS selects this region if the request to create a bucket has no location constraint. */
const DEFAULT_REGION = 'us-east-1';

/** Creates the port without connecting. */
export function provisioner(settings: ProvisioningSettings, wanted: WantedStore): Provisioner {
  const { bucket: Bucket, user: UserName, region } = wanted;
  const { accessKeyId, secretAccessKey, endpoint, identityEndpoint } = settings;
  const credentials = { accessKeyId, secretAccessKey };
  const common = { region, credentials, maxAttempts: MAX_ATTEMPTS, requestHandler };
  const s3 = new S3Client({ ...common, ...(endpoint && { endpoint, forcePathStyle: true }) });
  const identity = { ...common, ...(identityEndpoint && { endpoint: identityEndpoint }) };
  const iam = new IAMClient(identity);
  // This client does not retry, because a retry after a lost answer would create a second key.
  const iamWithoutRetries = new IAMClient({ ...identity, maxAttempts: 1 });

  let account: Promise<string | undefined> | undefined;
  /**
   * Returns our account id. Requests name it as the expected owner, so that files never go to a bucket of another
   * account, even if it is open to us.
   */
  const ExpectedBucketOwner = (): Promise<string | undefined> =>
    (account ??= callProvider(iam.send(new GetUserCommand({}))).then(
      ({ User }) => /::(\d+):/.exec(User?.Arn ?? '')?.[1],
    ));
  const ownBucket = async () => ({ Bucket, ExpectedBucketOwner: await ExpectedBucketOwner() });

  const user: Part = {
    exists: async () => (await nullIfMissing(iam.send(new GetUserCommand({ UserName })), NO_ENTITY)) !== null,
    create: async () =>
      void (await nullIfMissing(iam.send(new CreateUserCommand({ UserName })), [
        'EntityAlreadyExists',
        'EntityAlreadyExistsException',
      ])),
  };
  const bucket: Part = {
    async exists() {
      try {
        await s3.send(new HeadBucketCommand(await ownBucket()));
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        // 403 means that the bucket belongs to another account, because the key is valid. The response to this request
        // contains no error code.
        if (statusOf(error) === 403) throw new ProvisioningRefused('bucket_taken', 'AccessDenied');
        throw failureOf(error);
      }
    },
    async create() {
      const location = region !== DEFAULT_REGION && {
        CreateBucketConfiguration: { LocationConstraint: region as BucketLocationConstraint },
      };
      await nullIfMissing(s3.send(new CreateBucketCommand({ Bucket, ...location })), ['BucketAlreadyOwnedByYou']);
    },
  };
  const encryption: Part = {
    async exists() {
      const answer = await nullIfMissing(s3.send(new GetBucketEncryptionCommand(await ownBucket())), [
        'NoSuchBucket',
        'ServerSideEncryptionConfigurationNotFoundError',
      ]);
      const rules = answer?.ServerSideEncryptionConfiguration?.Rules ?? [];
      return rules.some((rule) => rule.ApplyServerSideEncryptionByDefault?.SSEAlgorithm !== undefined);
    },
    async create() {
      const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' as const } }];
      const ServerSideEncryptionConfiguration = { Rules };
      await callProvider(
        s3.send(new PutBucketEncryptionCommand({ ...(await ownBucket()), ServerSideEncryptionConfiguration })),
      );
    },
  };
  const publicAccess: Part = {
    async exists() {
      const answer = await nullIfMissing(s3.send(new GetPublicAccessBlockCommand(await ownBucket())), [
        'NoSuchBucket',
        'NoSuchPublicAccessBlockConfiguration',
      ]);
      const block = answer?.PublicAccessBlockConfiguration ?? {};
      return Object.keys(PUBLIC_ACCESS_BLOCK).every((name) => block[name as keyof typeof PUBLIC_ACCESS_BLOCK] === true);
    },
    async create() {
      const PublicAccessBlockConfiguration = PUBLIC_ACCESS_BLOCK;
      await callProvider(
        s3.send(new PutPublicAccessBlockCommand({ ...(await ownBucket()), PublicAccessBlockConfiguration })),
      );
    },
  };
  const policy: Part = {
    async exists() {
      const request = iam.send(new GetUserPolicyCommand({ UserName, PolicyName: POLICY_NAME }));
      const policyAnswer = await nullIfMissing(request, NO_ENTITY);
      return policyAnswer !== null && isPolicyFor(wanted, policyAnswer.PolicyDocument ?? '');
    },
    async create() {
      const PolicyDocument = JSON.stringify(policyFor(wanted));
      await callProvider(iam.send(new PutUserPolicyCommand({ UserName, PolicyName: POLICY_NAME, PolicyDocument })));
    },
  };

  return {
    parts: { user, bucket, encryption, no_public_access: publicAccess, policy },
    async keys() {
      const answer = await nullIfMissing(iam.send(new ListAccessKeysCommand({ UserName })), NO_ENTITY);
      const keys = answer?.AccessKeyMetadata ?? [];
      return keys.map(({ AccessKeyId = '', Status }) => ({ id: AccessKeyId, active: Status === 'Active' }));
    },
    async deleteKey(AccessKeyId) {
      await nullIfMissing(iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId })), NO_ENTITY);
    },
    async createKey() {
      const { AccessKey } = await callProvider(iamWithoutRetries.send(new CreateAccessKeyCommand({ UserName })));
      return { id: AccessKey?.AccessKeyId ?? '', secret: AccessKey?.SecretAccessKey ?? '' };
    },
    close: () => [s3, iam, iamWithoutRetries].forEach((client) => client.destroy()),
  };
}

const PUBLIC_ACCESS_BLOCK = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};
