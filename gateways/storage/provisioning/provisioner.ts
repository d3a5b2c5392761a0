/** Buckets, users and keys of AWS, or of a store that speaks its language, by the AWS SDK. */
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
import { asked, failureOf, statusOf, unlessMissing } from './failures.js';
import { isPolicyFor, POLICY_NAME, policyFor } from './policy.js';
import { type Part, type Provisioner, ProvisioningRefused, type Wanted } from './port.js';

export interface ProvisioningSettings {
  accessKeyId: string;
  secretAccessKey: string;
  /** Null: AWS itself. */
  endpoint: string | null;
  identityEndpoint: string | null;
}

const TRIES = 2;
const requestHandler = { connectionTimeout: 3_000, requestTimeout: 8_000, throwOnRequestTimeout: true };
const NO_ENTITY = ['NoSuchEntity', 'NoSuchEntityException'];
/** The region that is named by naming none. */
const FIRST_REGION = 'us-east-1';

/** Opens no connection by itself. */
export function provisioner(settings: ProvisioningSettings, wanted: Wanted): Provisioner {
  const { bucket: Bucket, user: UserName, region } = wanted;
  const { accessKeyId, secretAccessKey, endpoint, identityEndpoint } = settings;
  const credentials = { accessKeyId, secretAccessKey };
  const common = { region, credentials, maxAttempts: TRIES, requestHandler };
  const s3 = new S3Client({ ...common, ...(endpoint && { endpoint, forcePathStyle: true }) });
  const identity = { ...common, ...(identityEndpoint && { endpoint: identityEndpoint }) };
  const iam = new IAMClient(identity);
  // A second try after a lost answer would be a second key.
  const once = new IAMClient({ ...identity, maxAttempts: 1 });

  let account: Promise<string | undefined> | undefined;
  /** Ours: a bucket of this name that is anybody else's gets none of our files, whomever it lets in. */
  const ExpectedBucketOwner = (): Promise<string | undefined> =>
    (account ??= asked(iam.send(new GetUserCommand({}))).then(({ User }) => /::(\d+):/.exec(User?.Arn ?? '')?.[1]));
  const ours = async () => ({ Bucket, ExpectedBucketOwner: await ExpectedBucketOwner() });

  const user: Part = {
    isThere: async () => (await unlessMissing(iam.send(new GetUserCommand({ UserName })), NO_ENTITY)) !== null,
    make: async () =>
      void (await unlessMissing(iam.send(new CreateUserCommand({ UserName })), [
        'EntityAlreadyExists',
        'EntityAlreadyExistsException',
      ])),
  };
  const bucket: Part = {
    async isThere() {
      try {
        await s3.send(new HeadBucketCommand(await ours()));
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        // Of a key that is good: the answer to this question has no words.
        if (statusOf(error) === 403) throw new ProvisioningRefused('bucket_taken', 'AccessDenied');
        throw failureOf(error);
      }
    },
    async make() {
      const elsewhere = region !== FIRST_REGION && {
        CreateBucketConfiguration: { LocationConstraint: region as BucketLocationConstraint },
      };
      await unlessMissing(s3.send(new CreateBucketCommand({ Bucket, ...elsewhere })), ['BucketAlreadyOwnedByYou']);
    },
  };
  const encryption: Part = {
    async isThere() {
      const found = await unlessMissing(s3.send(new GetBucketEncryptionCommand(await ours())), [
        'NoSuchBucket',
        'ServerSideEncryptionConfigurationNotFoundError',
      ]);
      const rules = found?.ServerSideEncryptionConfiguration?.Rules ?? [];
      return rules.some((rule) => rule.ApplyServerSideEncryptionByDefault?.SSEAlgorithm !== undefined);
    },
    async make() {
      const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' as const } }];
      const ServerSideEncryptionConfiguration = { Rules };
      await asked(s3.send(new PutBucketEncryptionCommand({ ...(await ours()), ServerSideEncryptionConfiguration })));
    },
  };
  const publicAccess: Part = {
    async isThere() {
      const found = await unlessMissing(s3.send(new GetPublicAccessBlockCommand(await ours())), [
        'NoSuchBucket',
        'NoSuchPublicAccessBlockConfiguration',
      ]);
      const closed = found?.PublicAccessBlockConfiguration ?? {};
      return Object.keys(CLOSED).every((name) => closed[name as keyof typeof CLOSED] === true);
    },
    async make() {
      const PublicAccessBlockConfiguration = CLOSED;
      await asked(s3.send(new PutPublicAccessBlockCommand({ ...(await ours()), PublicAccessBlockConfiguration })));
    },
  };
  const policy: Part = {
    async isThere() {
      const asking = iam.send(new GetUserPolicyCommand({ UserName, PolicyName: POLICY_NAME }));
      const found = await unlessMissing(asking, NO_ENTITY);
      return found !== null && isPolicyFor(wanted, found.PolicyDocument ?? '');
    },
    async make() {
      const PolicyDocument = JSON.stringify(policyFor(wanted));
      await asked(iam.send(new PutUserPolicyCommand({ UserName, PolicyName: POLICY_NAME, PolicyDocument })));
    },
  };

  return {
    parts: { user, bucket, encryption, no_public_access: publicAccess, policy },
    async keys() {
      const found = await unlessMissing(iam.send(new ListAccessKeysCommand({ UserName })), NO_ENTITY);
      const keys = found?.AccessKeyMetadata ?? [];
      return keys.map(({ AccessKeyId = '', Status }) => ({ id: AccessKeyId, active: Status === 'Active' }));
    },
    async deleteKey(AccessKeyId) {
      await unlessMissing(iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId })), NO_ENTITY);
    },
    async makeKey() {
      const { AccessKey } = await asked(once.send(new CreateAccessKeyCommand({ UserName })));
      return { id: AccessKey?.AccessKeyId ?? '', secret: AccessKey?.SecretAccessKey ?? '' };
    },
    close: () => [s3, iam, once].forEach((client) => client.destroy()),
  };
}

const CLOSED = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};
