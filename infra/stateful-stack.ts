import { namesOf } from "@intents/deployment/names.ts";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import {
  mainTableSchema,
  railTableSchema,
  type TableSchema,
  windowTableSchema,
} from "@intents/deployment/table-schema.ts";
import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectLockRetention,
} from "aws-cdk-lib/aws-s3";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import type { Store, Stores } from "./grants.ts";
import { FUNCTION_TIMEOUT } from "./service-function.ts";

/** Rails take turns with so many queues at most. */
const LANES = 2;

/** A table, whoever has made it. */
export type KeptIn = Readonly<{ tableName: string; tableArn: string; tableStreamArn: string | undefined }>;

/** How long nobody can delete the copy of an entry, not even the owner of the account: longer than books are kept. */
const HISTORY_KEPT = Duration.days(10 * 366);

/** How long requests to the documents are logged, as everything of production is. */
const LOGS_KEPT = Duration.days(365);

/**
 * The stack of everything that outlives deployments of the API. A sandbox has the simulated rail's table as well, and
 * production the copies of audit and ledger.
 */
export class StatefulStack extends Stack {
  /** The table that functions work on: that of this stack, or one that was restored. */
  readonly mainTable: KeptIn;
  readonly queue: Queue;
  /** The queues of questions to rails: a slow rail fills its own. */
  readonly lanes: readonly Queue[];
  /** The queues of webhooks: of receivers that answer quickly, and of the others. */
  readonly webhooks: readonly Queue[];
  readonly deadLetters: Queue;
  readonly stores: Stores;
  /**
   * The number of the stored format, an export named after it. The API's stack imports it, so CloudFormation refuses a
   * version with another number before it changes anything.
   */
  readonly storedFormat: string;

  constructor(scope: Construct, id: string, props: StackProps & { deployment: Deployment }) {
    super(scope, id, props);
    const { stage } = props.deployment;
    this.storedFormat = this.exportValue(String(STORED_FORMAT), { name: `${this.stackName}-format-${STORED_FORMAT}` });
    const made = this.table("Main", mainTableSchema, {
      // The name is fixed, because the operator's command finds the table by its stage.
      tableName: namesOf(props.deployment).mainTable,
      ...(stage === "production" && { stream: StreamViewType.NEW_IMAGE }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.mainTable = this.restored(made, props.deployment) ?? made;
    const documents = this.documentBucket(stage === "production" ? this.logBucket() : undefined);
    const history = stage === "production" ? this.historyBucket() : undefined;
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = this.workQueue("AdvanceIntents");
    const lanes = Array.from({ length: LANES }, (_, index) => this.workQueue(`Questions${index + 1}`));
    this.lanes = lanes.slice(0, lanesOf(props.deployment));
    // A stage may get another rail, or have one less, and is deployed either way.
    for (const { queueArn, queueUrl } of lanes) for (const value of [queueArn, queueUrl]) this.exportValue(value);
    this.webhooks = ["Webhooks", "WebhooksApart"].map((id) => this.hintQueue(id));
    this.stores = {
      main: tableStore("TABLE_NAME", this.mainTable),
      windows: tableStore("WINDOW_TABLE_NAME", this.disposableTable("Windows", windowTableSchema)),
      ...(stage !== "production" && {
        rail: tableStore("RAIL_TABLE_NAME", this.disposableTable("SandboxRail", railTableSchema)),
      }),
      documents: { variable: "BUCKET_NAME", value: documents.bucketName, arn: this.arnOf(documents, "documents") },
      ...(history !== undefined && {
        history: { variable: "HISTORY_BUCKET", value: history.bucketName, arn: this.arnOf(history, "history") },
      }),
      bucket: { variable: "BUCKET_NAME", value: documents.bucketName, arn: documents.bucketArn },
      queue: { variable: "QUEUE_URL", value: this.queue.queueUrl, arn: this.queue.queueArn },
      lane: queueStore("QUESTION_QUEUE_URLS", this.lanes),
      webhooks: queueStore("WEBHOOK_QUEUE_URLS", this.webhooks),
      ...(history !== undefined && { stream: { arn: this.mainTable.tableStreamArn ?? "" } }),
    };
  }

  /** The table that takes the place of the one that was made, if any. That one stays, exports included, for a way back. */
  private restored({ tableArn, tableName, tableStreamArn }: KeptIn, { mainTable }: Deployment): KeptIn | undefined {
    if (mainTable === undefined) return undefined;
    for (const value of [tableArn, tableName, tableStreamArn]) if (value !== undefined) this.exportValue(value);
    const { name, streamArn } = mainTable;
    const arn = this.formatArn({ service: "dynamodb", resource: "table", resourceName: name });
    return { tableName: name, tableArn: arn, tableStreamArn: streamArn };
  }

  private workQueue(id: string): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // A message must not come back while its function may still be working on it (H24).
      visibilityTimeout: Duration.seconds(6 * FUNCTION_TIMEOUT.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
  }

  /** A queue of hints to look for work, which the next tick repeats: none is kept for long, or as a dead letter. */
  private hintQueue(id: string): Queue {
    const queue = new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(6 * FUNCTION_TIMEOUT.toSeconds()),
      retentionPeriod: Duration.minutes(30),
    });
    const reason = "A message that is lost changes nothing: the schedule finds the same work within a minute";
    Validations.of(queue).acknowledge({ id: "AwsSolutions::AwsSolutions-SQS3", reason });
    return queue;
  }

  /** A table whose loss would cost nothing: counts of rate limits (H54), and the simulated rail's memory. */
  private disposableTable(id: string, schema: TableSchema): Table {
    const table = this.table(id, schema, { removalPolicy: RemovalPolicy.DESTROY });
    Validations.of(table).acknowledge({
      id: "AwsSolutions::AwsSolutions-DDB3",
      reason: "Holds nothing worth recovering: windows of rate limits, or the simulated rail's payments",
    });
    return table;
  }

  private table(
    id: string,
    { partitionKey, sortKey, ttlAttribute, indexes }: TableSchema,
    more: Partial<TableProps>,
  ): Table {
    const table = new Table(this, id, {
      partitionKey: toKey(partitionKey),
      sortKey: toKey(sortKey),
      timeToLiveAttribute: ttlAttribute,
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      ...more,
    });
    for (const { name, ...keys } of indexes) {
      table.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: toKey(keys.partitionKey),
        sortKey: toKey(keys.sortKey),
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    return table;
  }

  /**
   * The ARN of a bucket for grants on its objects. The export gets its name here, so that cdk-nag can be told to accept
   * the wildcards in them.
   */
  private arnOf(bucket: Bucket, name: "documents" | "history"): string {
    return this.exportValue(bucket.bucketArn, { name: this.exportOf(name) });
  }

  exportOf(bucket: "documents" | "history"): string {
    return `${this.stackName}-${bucket}`;
  }

  private bucket(id: string, more: BucketProps): Bucket {
    const bucket = new Bucket(this, id, {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      ...more,
    });
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions::AwsSolutions-S1",
      reason: "Objects are reached by the functions alone, which log every request; their keys name tenants",
    });
    return bucket;
  }

  /** The bucket for copies of audit and ledger: what lies there can be neither changed nor hidden (Decision 023). */
  private historyBucket(): Bucket {
    const retention = ObjectLockRetention.compliance(HISTORY_KEPT);
    const bucket = this.bucket("History", { objectLockDefaultRetention: retention });
    bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutBucketObjectLockConfiguration"],
        resources: [bucket.bucketArn, bucket.arnForObjects("*")],
      }),
    );
    return bucket;
  }

  /** The log of every request to the documents of production: of the service, of operators, and of whoever else. */
  private logBucket(): IBucket {
    return this.bucket("DocumentReads", { versioned: false, lifecycleRules: [{ expiration: LOGS_KEPT }] }) as IBucket;
  }

  private documentBucket(log: IBucket | undefined): Bucket {
    return this.bucket("Documents", {
      ...(log !== undefined && { serverAccessLogsBucket: log }),
      lifecycleRules: [
        // Uploads that nothing kept (H58) can be used for 24 hours. S3 counts whole days and waits for midnight, so
        // that one day is two at most. Versioning turns an expiry into a marker, which is then removed by itself.
        { prefix: "tmp/", expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        // Payers' uploads are apart, so that no function for tenants can read them.
        { prefix: "payers/tmp/", expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        // The parts of an export that was broken off.
        { prefix: "exporting/", expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        // Payers' uploads that no session has are deleted, and must not live on as older versions.
        { prefix: "payers/kept/", noncurrentVersionExpiration: Duration.days(1), expiredObjectDeleteMarker: true },
        // Links to exports are good for minutes. The files are kept for questions about what was downloaded.
        { prefix: "exports/", expiration: Duration.days(90) },
        { noncurrentVersionExpiration: Duration.days(30), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
  }
}

/**
 * The queues of questions that are worked on: SQS has 2 instances at least work on each, and a new account has 10 in all.
 * Simulated rails keep nobody waiting; of two real ones, or one and a former address, a slow one must not hold up the other.
 */
const lanesOf = (deployment: Deployment): number =>
  deployment.stage === "production" &&
  (namesOf(deployment).rails.length > 1 || deployment.connectorFormerUrls !== undefined)
    ? LANES
    : 1;

const toKey = ({ name, type }: TableSchema["partitionKey"]) => ({
  name,
  type: type === "S" ? AttributeType.STRING : AttributeType.NUMBER,
});

const queueStore = (variable: string, queues: readonly Queue[]): Store => ({
  variable,
  value: queues.map(({ queueUrl }) => queueUrl).join(" "),
  arn: queues[0]?.queueArn ?? "",
  others: queues.slice(1).map(({ queueArn }) => queueArn),
});

const tableStore = (variable: string, table: KeptIn): Store => ({
  variable,
  value: table.tableName,
  arn: table.tableArn,
});
